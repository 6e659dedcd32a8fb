#!/usr/bin/python3
"""Whether libraries include each other's headers, or link each other, in a circle.

usage: library_cycles.py ROOT [--also FILE HEADER]

A header is of the library that compiles the source of its name, else of the only
library of its folder; of one that is neither, what it includes counts. A library
that includes a header of another one also has to link it, maybe through a third.
`--also`: as if FILE included HEADER, too.
"""

import glob
import os
import re
import sys

LIBRARY = re.compile(r"add_stencil_cxx_library\((\w+)([^)]*)\)")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
# Public folders that are named otherwise than those of their sources.
FOLDERS = {"IR": "Dialect"}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Project:
    def __init__(self, root, also):
        os.chdir(root)
        self.links, self.library_of, self.declared = {}, {}, {}
        for path in glob.glob("lib/**/CMakeLists.txt", recursive=True):
            self.read_libraries(path)
        self.files = [path for pattern in ("lib/**/*.cpp", "lib/**/*.h", "include/StencilDialect/**/*.h")
                      for path in glob.glob(pattern, recursive=True)]
        self.includes = {path: self.resolve(path, INCLUDE.findall(read(path))) for path in self.files}
        for path, header in also:
            self.includes[path] += self.resolve(path, [header])

    def read_libraries(self, path):
        folder = os.path.dirname(path)
        for name, body in LIBRARY.findall(re.sub(r"#.*", "", read(path))):
            sources = re.split(r"\b(?:DEPENDS|LINK_LIBS)\b", body)[0].split()
            linked = body.partition("LINK_LIBS")[2].split()
            self.links[name] = linked
            self.declared.setdefault(folder, set()).add(name)
            for source in sources:
                self.library_of[os.path.normpath(os.path.join(folder, source))] = name

    def resolve(self, path, names):
        """The project's own headers among those that a file includes."""
        places = [os.path.dirname(path), os.path.join("lib", path.split(os.sep)[1]), "include"]
        found = []
        for name in names:
            paths = (os.path.normpath(os.path.join(place, name)) for place in places)
            found += [header for header in paths if os.path.exists(header)][:1]
        return found

    def owner(self, path):
        """The library that a file belongs to; None: what it includes counts."""
        if path in self.library_of:
            return self.library_of[path]
        parts = path.split(os.sep)
        if parts[0] == "include":
            parts = ["lib", FOLDERS.get(parts[2], parts[2]), *parts[3:]]
        stem = os.path.splitext(parts[-1])[0]
        while len(parts) > 2:
            parts.pop()
            folder = os.path.join(*parts)
            same = {library for source, library in self.library_of.items()
                    if source.startswith(folder + os.sep) and os.path.basename(source) == stem + ".cpp"}
            for libraries in (same, self.declared.get(folder, ())):
                if len(libraries) == 1:
                    return next(iter(libraries))
        return None

    def used_by(self, path, seen):
        """Headers of libraries that a file includes, itself or through headers of none."""
        for header in self.includes.get(path, ()):  # The runtime's headers are of no library here.
            if self.owner(header):
                yield header
            elif header not in seen:
                seen.add(header)
                yield from self.used_by(header, seen)

    def graph(self):
        """Per library those that it needs, each with what shows that."""
        needs = {name: {other: f"{name} links {other}" for other in linked if other in self.links}
                 for name, linked in self.links.items()}
        included = []
        for path in sorted(self.files):
            library = self.owner(path)
            for header in self.used_by(path, set()) if library else ():
                if (other := self.owner(header)) != library:
                    included.append((library, other, f"{path} includes {header}"))
        for library, other, why in included:
            needs[library][other] = why
        return needs, included


def path_between(graph, start, end):
    """The shortest way from one library to another one, as a list of both and what is between."""
    ways = [[start]]
    seen = {start}
    for way in ways:
        for other in graph[way[-1]]:
            if other == end:
                return [*way, end]
            if other not in seen:
                seen.add(other)
                ways.append([*way, other])
    return None


def main(arguments):
    if len(arguments) not in (1, 4) or arguments[1:2] not in ([], ["--also"]):
        sys.exit(__doc__)
    project = Project(arguments[0], [arguments[2:]] if arguments[1:] else [])
    needs, included = project.graph()
    errors = []
    circles = [way for name in needs if (way := path_between(needs, name, name))]
    for way in sorted(circles, key=len)[:1]:
        errors.append("a circle of libraries: " + " -> ".join(way))
        errors += ["  " + needs[one][other] for one, other in zip(way, way[1:])]
    links = {name: [other for other in linked if other in project.links] for name, linked in project.links.items()}
    for library, other, why in included:
        if not path_between(links, library, other):
            errors.append(f"{library} does not link {other}: {why}")
    print(f"{len(needs)} libraries, {len(project.files)} files")
    for error in errors:
        print("error: " + error if not error.startswith(" ") else error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
