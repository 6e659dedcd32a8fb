//===- ScheduleKeys.td - The keys of schedules, for C ---------*- tablegen -*-===//
//
// The enumeration StencilScheduleKey, of what StencilDialect/IR/ScheduleKeys.td
// declares.
//
//===----------------------------------------------------------------------===//

include "StencilDialect/IR/ScheduleKeys.td"
include "llvm/TableGen/SearchableTable.td"

class CScheduleKey<Stencil_ScheduleKey key> {
  string name = "STENCIL_SCHEDULE_" # !toupper(key.name);
  int value = key.id;
}

foreach key = Stencil_ScheduleKeys in
  def : CScheduleKey<key>;

def StencilScheduleKey : GenericEnum {
  let FilterClass = "CScheduleKey";
  let NameField = "name";
  let ValueField = "value";
}
