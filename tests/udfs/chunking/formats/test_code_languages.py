"""One small file a language: what is a unit in it, and what it is called."""

from __future__ import annotations

import pytest

from tests.udfs.chunking.formats.code_view import block_texts, qualified_names, read, repeats

LONG = "log(" + "one_argument, " * 20 + "1);"

JAVASCRIPT = """\
import a from "b";
import c from "d"; // tail

/**
 * A shelf.
 */
export default class Shelf extends Base {
  count = 0;
  add = async (n) => {
    return n;
  };
  // How many.
  get size() { return 2; }
}

export const twice = (x) => {
  return 2 * x;
};
const f = () => { return 1; }, g = function () { return 2; };
module.exports.half = function (x) { return x / 2; };
"""

TYPESCRIPT = """\
import { A } from "a";

/** A shape. */
export interface Shape<T> extends Base {
  x: number;
  area(): number;
}
type Pair = {
  a: string;
};
export namespace N {
  export function f(): void {}
}
@Component({ selector: "a" })
export abstract class B<T> {
  private p = (x: T) => { return x };
  @Dec()
  g(): void {}
}
"""

JAVA = """\
package a;
import b.C;

/** A thing. */
@Foo
public class A<T> extends B {
  private int x = 1;

  /** Gives x. */
  @Override
  public int f(int a) throws E { return x; }

  enum Color { RED, GREEN; int g() { return 1; } }
  interface I { void h(); }
  record R(int a) { }
  A() { }
}
"""

GO = """\
package main

import "os"

// T is a thing.
type T struct {
\ta int
}

type (
\tShape interface {
\t\tArea() float64
\t}
)

// M does it.
func (t *T) M(x int) error { return nil }
func (l List[K]) N() { os.Exit(1) }
func main() { os.Exit(1) }
"""

RUST = """\
use a::b;

/// A point.
#[derive(Debug)]
pub struct Point {
    x: i32,
}

impl<T> Shape for Square<T> {
    /// The area.
    #[inline]
    fn area(&self) -> f64 { 1.0 }
}

trait Shape { fn area(&self) -> f64; }
macro_rules! square { ($x:expr) => { $x * $x }; }
mod tests {
    #[test]
    fn works() {}
}
"""

C = """\
#include <a.h>
#include "b.h"

/* A point. */
struct point {
  int x;
};

typedef struct {
  int a;
} pair;

static struct point *find(int x)
{
  return 0;
}
enum color { RED, GREEN };
int count(void) { return 1; }
"""

CPP = """\
#include <a>

namespace shop::goods {

/// A shelf.
template <typename T>
class Shelf : public Base {
 public:
  Shelf() : x(1) {}
  virtual int size() const;
};

int& at(int x) { return data[x]; }
enum class E { A, B };

}  // namespace shop::goods
"""

BASH = """\
#!/bin/bash
set -e

# Says it.
say() {
  echo "$1"
}

function deploy {
  say "x"
}
deploy "$@"
"""


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("javascript", JAVASCRIPT, "Shelf, Shelf > add, Shelf > size, twice, f, g, module.exports.half"),
        ("typescript", TYPESCRIPT, "Shape, Shape > area, Pair, N, N > f, B, B > p, B > g"),
        ("tsx", TYPESCRIPT, "Shape, Shape > area, Pair, N, N > f, B, B > p, B > g"),
        ("java", JAVA, "A, A > f, A > Color, A > Color > g, A > I, A > I > h, A > R, A > A"),
        ("go", GO, "T, Shape, Shape > Area, T.M, List.N, main"),
        ("rust", RUST, "Point, Square, Square > area, Shape, Shape > area, square, tests, tests > works"),
        ("c", C, "point, find, color, count"),
        (
            "cpp",
            CPP,
            "shop::goods, shop::goods > Shelf, shop::goods > Shelf > Shelf, shop::goods > at, shop::goods > E",
        ),
        ("bash", BASH, "say, deploy"),
    ],
)
def test_functions_and_types_have_qualified_names(language: str, text: str, names: str) -> None:
    assert ", ".join(qualified_names(text, language)) == names


@pytest.mark.parametrize(
    ("language", "text", "unit"),
    [
        ("javascript", JAVASCRIPT, "  // How many.\n  get size() { return 2; }"),
        ("javascript", JAVASCRIPT, "export const twice = (x) => {\n  return 2 * x;\n};"),
        ("javascript", JAVASCRIPT, 'import a from "b";\nimport c from "d"; // tail'),
        ("typescript", TYPESCRIPT, "  @Dec()\n  g(): void {}"),
        ("java", JAVA, "  /** Gives x. */\n  @Override\n  public int f(int a) throws E { return x; }"),
        ("go", GO, "// T is a thing.\ntype T struct {\n\ta int\n}"),
        ("rust", RUST, "/// A point.\n#[derive(Debug)]\npub struct Point {\n    x: i32,\n}"),
        ("rust", RUST, "    /// The area.\n    #[inline]\n    fn area(&self) -> f64 { 1.0 }"),
        ("c", C, "/* A point. */\nstruct point {\n  int x;\n};"),
        ("c", C, "static struct point *find(int x)\n{\n  return 0;\n}"),
        ("c", C, '#include <a.h>\n#include "b.h"'),
        ("cpp", CPP, " public:\n  Shelf() : x(1) {}"),
        ("bash", BASH, '# Says it.\nsay() {\n  echo "$1"\n}'),
    ],
)
def test_a_unit_stays_with_its_comments_and_attributes(language: str, text: str, unit: str) -> None:
    assert unit in block_texts(text, language)


@pytest.mark.parametrize(
    ("language", "text", "signature", "behind"),
    [
        ("javascript", JAVASCRIPT, "class Shelf extends Base {", "count = 0;"),
        ("typescript", TYPESCRIPT, "interface Shape<T> extends Base {", "x: number;"),
        ("java", JAVA, "public class A<T> extends B {", "private int x = 1;"),
        ("go", GO, "func (t *T) M(x int) error {", "return nil }"),
        ("go", GO, "\tShape interface {", "Area() float64"),
        ("rust", RUST, "impl<T> Shape for Square<T> {", "/// The area."),
        ("c", C, "static struct point *find(int x)\n{", "return 0;"),
        ("cpp", CPP, "class Shelf : public Base {", "public:"),
        ("bash", BASH, "function deploy {", 'say "x"'),
    ],
)
def test_signatures_are_repeated_with_their_bracket(language: str, text: str, signature: str, behind: str) -> None:
    assert repeats(text, read(text, language))[signature] == behind


@pytest.mark.parametrize("language", ["javascript", "java", "go", "c", "cpp"])
def test_a_closing_bracket_stays_with_the_last_statement(language: str) -> None:
    lines = f"    {LONG}\n    {LONG}\n    b = 2;\n  }}\n  c = 3;\n}}\n"
    head = {
        "javascript": "function f() {\n  if (a) {\n",
        "java": "class A { void f() {\n  if (a) {\n",
        "go": "func f() {\n  if a {\n",
    }
    text = head.get(language, "void f() {\n  if (a) {\n") + lines + ("}\n" if language == "java" else "")
    found = block_texts(text, language)
    assert "    b = 2;\n  }" in found
    assert "  c = 3;\n}" in found


@pytest.mark.parametrize("language", ["javascript", "typescript"])
def test_functions_given_to_a_call_are_parts_of_it(language: str) -> None:
    case = f"  it('adds', () => {{\n    {LONG}\n    expect(1);\n  }});"
    text = f"describe('sums', () => {{\n{case}\n{case}\n}});\n"
    assert case in block_texts(text, language)
