//===- MathOption.td - The option 'math' of passes ---------*- tablegen -*-===//

#ifndef STENCILDIALECT_IR_MATHOPTION_TD
#define STENCILDIALECT_IR_MATHOPTION_TD

include "mlir/Pass/PassBase.td"

class MathOption<string description>
    : Option<"math", "math", "::stencil::MathMode",
             /*default=*/"::stencil::MathMode::Contract", description,
             "::stencil::getMathModeValues()">;

#endif // STENCILDIALECT_IR_MATHOPTION_TD
