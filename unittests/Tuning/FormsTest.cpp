//===- FormsTest.cpp - Schedules of classes of kernels --------------------===//

#include "StencilDialect/Tuning/Forms.h"
#include "StencilDialect/Tuning/Database.h"

#include "../Support/TestSupport.h"

using namespace stencil;

/// A database with forms, of which each is the inside of an object.
static std::string makeText(llvm::ArrayRef<const char *> forms) {
  std::string text = R"({"format": "stencil-tuning", "version": 1,)"
                     R"( "entries": [], "forms": [)";
  for (auto [index, form] : llvm::enumerate(forms))
    text += (index ? ", {" : "{") + std::string(form) + "}";
  return text + "]}";
}

static TuningDatabase parse(llvm::ArrayRef<const char *> forms) {
  auto database = TuningDatabase::parse(makeText(forms), "db.json");
  EXPECT_TRUE(bool(database)) << message(database.takeError());
  return database ? std::move(*database) : TuningDatabase();
}

static std::string getError(const char *form) {
  return message(TuningDatabase::parse(makeText({form}), "db.json"));
}

static FormFacts makeStar(int64_t radius) {
  FormFacts facts;
  facts.kernel = "walk";
  facts.reads = "star";
  facts.bytes = 8;
  facts.radius = radius;
  facts.extents = {512, 512, 512};
  facts.planes = "narrow";
  facts.setPoints(0x1p27);
  return facts;
}

static std::string
findName(const TuningDatabase &database, const FormFacts &facts,
         const FormDevice &device = {"h200", "sm_90", "nvidia"}) {
  const TuningForm *form = findForm(database.forms, facts, device);
  return form ? form->name : "none";
}

/// A form for some of them.
static std::string makeForm(const char *name, const char *of,
                            const char *devices = "\"sm_90\"") {
  return std::string("\"name\": \"") + name + "\", \"of\": {" + of +
         "}, \"devices\": [" + devices + "], \"schedule\": \"x\"";
}

TEST(Forms, TheFirstWhoseClassHasTheKernel) {
  std::string wide = makeForm("wide", R"("kernel": "walk", "planes": "wide")");
  std::string sums = makeForm("sums", R"("kernel": "walk", "free_sums": true)");
  std::string small = makeForm("few", R"("kernel": "walk", "points": [1, 99])");
  std::string tall =
      makeForm("tall", R"("kernel": "walk", "extents": [[0], [1024]])");
  std::string four = makeForm(
      "4 or 5",
      R"("kernel": "walk", "reads": ["box", "star"], "bytes": 8, "radius": [4, 5])");
  std::string five =
      makeForm("from 5 on", R"("kernel": "walk", "radius": [5])");
  TuningDatabase database = parse({wide.c_str(), sums.c_str(), small.c_str(),
                                   tall.c_str(), four.c_str(), five.c_str()});
  EXPECT_EQ(findName(database, makeStar(3)), "none");
  EXPECT_EQ(findName(database, makeStar(4)), "4 or 5");
  EXPECT_EQ(findName(database, makeStar(5)), "4 or 5");
  EXPECT_EQ(findName(database, makeStar(6)), "from 5 on");
  FormFacts facts = makeStar(4);
  facts.reads = "cube";
  EXPECT_EQ(findName(database, facts), "none");
  facts.extents[1] = 1024;
  EXPECT_EQ(findName(database, facts), "tall");
  facts.setPoints(99);
  EXPECT_EQ(findName(database, facts), "few");
  facts.areSumsFree = true;
  EXPECT_EQ(findName(database, facts), "sums");
  facts.planes = "wide";
  EXPECT_EQ(findName(database, facts), "wide");
  facts.kernel = "layer";
  EXPECT_EQ(findName(database, facts), "none");
  // What is not known of a kernel is not what a class asks for.
  facts = makeStar(4);
  facts.bytes = std::nullopt;
  EXPECT_EQ(findName(database, facts), "none");
  facts = makeStar(3);
  facts.extents = {2000};
  EXPECT_EQ(findName(database, facts), "none");
}

TEST(Forms, TheProductThenTheChipThenTheVendor) {
  constexpr const char *kWalk = R"("kernel": "walk")";
  std::string any = makeForm("any", kWalk, R"("any")");
  std::string nvidia = makeForm("nvidia", kWalk, R"("nvidia")");
  std::string chip = makeForm("chip", kWalk, R"("sm_80", "sm_90")");
  std::string product = makeForm("product", kWalk, R"("h100")");
  TuningDatabase database =
      parse({any.c_str(), nvidia.c_str(), chip.c_str(), product.c_str()});
  FormFacts facts = makeStar(1);
  EXPECT_EQ(findName(database, facts, {"h100", "sm_90", "nvidia"}), "product");
  EXPECT_EQ(findName(database, facts, {"h200", "sm_90", "nvidia"}), "chip");
  EXPECT_EQ(findName(database, facts, {"", "sm_80", "nvidia"}), "chip");
  EXPECT_EQ(findName(database, facts, {"", "sm_100", "nvidia"}), "nvidia");
  EXPECT_EQ(findName(database, facts, {"mi300x", "gfx942", "amd"}), "any");
}

TEST(Forms, FewestTapsOfRows) {
  std::string many =
      makeForm("many", R"("kernel": "row", "types": ["f64"], "taps": [64])");
  std::string some = makeForm(
      "some", R"("kernel": "row", "types": ["f64"], "taps": [17, 63])");
  TuningDatabase database = parse({many.c_str(), some.c_str()});
  FormFacts row;
  row.kernel = "row";
  row.type = "f64";
  FormDevice device{"", "sm_90", "nvidia"};
  EXPECT_EQ(getFewestTaps(database.forms, row, device), 17);
  EXPECT_EQ(getFewestTaps(database.forms, row, {"", "sm_80", "nvidia"}),
            std::nullopt);
  row.type = "f32";
  EXPECT_EQ(getFewestTaps(database.forms, row, device), std::nullopt);
}

TEST(Forms, WhatIsWrongHasItsPlace) {
  auto of = [](const char *text) {
    return getError(makeForm("x", text).c_str());
  };
  EXPECT_EQ(of(R"("kernel": "walk")"), "success");
  EXPECT_EQ(
      of(R"("kernel": "run")"),
      "'db.json': forms[0].of.kernel: expected one of walk, layer, "
      "interior, row, product row, product plane, step, open walk, open "
      "tile, open products, tap loop, plain tile, stages, steps, steps "
      "in halos, step loop, wave, diamonds, composed steps, padded fields, "
      "tail, stores, got 'run'");
  EXPECT_EQ(of(R"("kernel": "walk", "reads": ["star", "all"])"),
            "'db.json': forms[0].of.reads: expected one of star, box, nearest, "
            "cube, single star, memory, products, got 'all'");
  EXPECT_EQ(of(R"("kernel": "walk", "planes": "thick")"),
            "'db.json': forms[0].of.planes: expected one of wide, narrow, got "
            "'thick'");
  for (const char *range : {"[5, 4]", "-1", "[-1]", "[]", "[1, 2, 3]", "\"4\""})
    EXPECT_EQ(
        of((R"("kernel": "walk", "radius": )" + std::string(range)).c_str()),
        "'db.json': forms[0].of.radius: expected a number, [least, most] "
        "or [least]");
  EXPECT_EQ(of(R"("kernel": "walk", "extents": [4, "a"])"),
            "'db.json': forms[0].of.extents[1]: expected a number, [least, "
            "most] or [least]");
  EXPECT_EQ(of(R"("kernel": "walk", "colour": 3)"),
            "'db.json': forms[0].of: unknown key 'colour'");
  EXPECT_EQ(of(""), "'db.json': forms[0].of: expected the key 'kernel', got "
                    "none");
  EXPECT_EQ(getError(makeForm("x", R"("kernel": "row")", "").c_str()),
            "'db.json': forms[0].devices: expected the name of a GPU");
  EXPECT_EQ(
      getError(
          (makeForm("x", R"("kernel": "row")") + ", \"ahead\": 0").c_str()),
      "'db.json': forms[0].ahead: expected at least 1");
  EXPECT_EQ(
      getError(
          (makeForm("x", R"("kernel": "row")") + ", \"forced\": 1").c_str()),
      "'db.json': forms[0].forced: expected true or false");
}

TEST(Forms, NumbersOfAClass) {
  constexpr const char *kHead = R"("name": "x", "devices": ["any"], "of": )";
  auto of = [&](const char *kernel, const char *rest) {
    return getError(
        (kHead + std::string(R"({"kernel": ")") + kernel + "\"}" + rest)
            .c_str());
  };
  EXPECT_EQ(of("tap loop", R"(, "numbers": {"points": 7, "threads": [1, 2]})"),
            "success");
  EXPECT_EQ(of("stages", R"(, "numbers": {"shortest_segment": 7})"), "success");
  EXPECT_EQ(of("stages", R"(, "schedule": "")"), "success");
  EXPECT_EQ(of("tap loop", ""),
            "'db.json': forms[0]: expected the key 'numbers', got none");
  EXPECT_EQ(of("tap loop", R"(, "numbers": {"points": 7}, "schedule": "")"),
            "'db.json': forms[0].schedule: expected none: such kernels have "
            "numbers only");
  EXPECT_EQ(of("walk", R"(, "schedule": "", "numbers": {"points": 7})"),
            "'db.json': forms[0].numbers: expected none: such kernels have a "
            "schedule only");
  EXPECT_EQ(of("tap loop", R"(, "numbers": 7)"),
            "'db.json': forms[0].numbers: expected an object");
  EXPECT_EQ(of("tap loop", R"(, "numbers": {"pints": 7})"),
            "'db.json': forms[0].numbers: expected one of points, threads, got "
            "'pints'");
  EXPECT_EQ(of("tap loop", R"(, "numbers": {"points": "7"})"),
            "'db.json': forms[0].numbers.points: expected a number "
            "that is not negative");
  EXPECT_EQ(of("tap loop", R"(, "numbers": {"points": [7, "7"]})"),
            "'db.json': forms[0].numbers.points[1]: expected a "
            "number that is not negative");
  for (const char *bad : {"[]", "1e30", "[1, 1e30]"})
    EXPECT_EQ(
        of("tap loop",
           (R"(, "numbers": {"points": )" + std::string(bad) + "}").c_str()),
        "'db.json': forms[0].numbers.points: expected numbers from 0 to "
        "2^40");
  // A class of them.
  FormFacts facts;
  facts.kernel = "open walk";
  facts.rank = 3;
  facts.span = 7;
  TuningDatabase database = parse({
      R"("name": "joint", "of": {"kernel": "open walk", "joint": true}, "devices": ["any"], "numbers": {"rows": 1})",
      R"("name": "span", "of": {"kernel": "open walk", "span": 7, "rank": [3]}, "devices": ["any"], "numbers": {"rows": 4})",
  });
  EXPECT_FALSE(database.forms[0].of.contains(facts));
  EXPECT_TRUE(database.forms[1].of.contains(facts));
  facts.isJoint = true;
  EXPECT_TRUE(database.forms[0].of.contains(facts));
  facts.span = 5;
  EXPECT_FALSE(database.forms[1].of.contains(facts));
  ASSERT_TRUE(database.forms[1].findNumbers("rows"));
  EXPECT_EQ(database.forms[1].findNumbers("rows")->front(), 4);
  EXPECT_FALSE(database.forms[1].findNumbers("points"));
  // Without a schedule it is none of those that are looked up for one.
  EXPECT_EQ(findName(database, facts), "none");
}

TEST(Forms, ADatabaseKeepsThem) {
  std::string form = makeForm("x", R"("kernel": "row")") +
                     R"(, "note": "why", "measured": [{"kernel": "k"}])";
  TuningDatabase database = parse({form.c_str()});
  std::string text;
  llvm::raw_string_ostream os(text);
  database.print(os);
  auto again = TuningDatabase::parse(text, "db.json");
  ASSERT_TRUE(bool(again)) << message(again.takeError());
  ASSERT_EQ(again->forms.size(), 1u);
  EXPECT_EQ(again->forms[0].json, database.forms[0].json);
}

TEST(Forms, AreShipped) {
  EXPECT_GT(getShippedForms().size(), 20u);
  FormDevice device{"", "sm_90", "nvidia"};
  FormFacts star = makeStar(4);
  const TuningForm *form = findForm(getShippedForms(), star, device);
  ASSERT_TRUE(form);
  EXPECT_EQ(form->name, "star of 25 points");
  // Of few points nothing was measured, and on other GPUs.
  star.setPoints(1000);
  EXPECT_FALSE(findForm(getShippedForms(), star, device));
  EXPECT_FALSE(
      findForm(getShippedForms(), makeStar(4), {"", "sm_80", "nvidia"}));
}
