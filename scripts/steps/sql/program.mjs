/**
 * The server's source as TypeScript's own checker sees it. This interface for programs is new, so no other code may
 * depend on it.
 */
import { join, relative } from "node:path";
import { SyntaxKind } from "typescript/unstable/ast";
import { API, SymbolFlags, TypeFlags } from "typescript/unstable/sync";

/** Tests and their helpers are no part of the product. */
const isProduct = (path) => !/\.test\.ts$|\/testing\/|\/test-(database|server)\.ts$/.test(path);

/**
 * @param {string} root
 * @param {string} config the tsconfig.json of the source
 * @param {(file: string) => boolean} [isRead]
 */
export function openProgram(root, config, isRead = isProduct) {
  const api = new API({ cwd: root });
  const snapshot = api.updateSnapshot({ openProjects: [join(root, config)] });
  const project = snapshot.getProjects()[0];
  if (!project) throw new Error(`${config} names no project`);
  const { checker, program } = project;
  const folder = join(root, config.replace(/tsconfig\.json$/, ""));
  const files = project.rootFiles
    .filter((file) => file.startsWith(folder) && isRead(file))
    .map((file) => {
      const source = program.getSourceFile(file);
      if (!source) throw new Error(`${file} was not read`);
      return source;
    });
  // Each query of the checker is a round trip to another process.
  const types = new Map();
  const declarations = new Map();

  return {
    files,
    checker,
    close: () => api.close(),
    /** @returns {import("typescript/unstable/sync").Type | undefined} */
    typeOf(node) {
      if (!types.has(node)) types.set(node, checker.getTypeAtLocation(node));
      return types.get(node);
    },
    /** Resolves a name through imports to the node that declares it. */
    declarationOf(name) {
      if (!declarations.has(name)) declarations.set(name, declarationOf(checker, name));
      return declarations.get(name);
    },
    /** `apps/api/src/users/store.ts:34` */
    placeOf(node, linesBelow = 0) {
      const source = node.getSourceFile();
      const line = source.text.slice(0, node.getStart(source)).split("\n").length + linesBelow;
      return `${relative(root, source.fileName)}:${line}`;
    },
  };
}

function declarationOf(checker, name) {
  const symbol =
    name.parent.kind === SyntaxKind.ShorthandPropertyAssignment
      ? checker.getShorthandAssignmentValueSymbol(name.parent)
      : checker.getSymbolAtLocation(name);
  const isImported = symbol && symbol.flags & SymbolFlags.Alias;
  return (isImported ? checker.getAliasedSymbol(symbol) : symbol)?.valueDeclaration?.resolve();
}

/** @typedef {ReturnType<typeof openProgram>} Source */

/** Returns the alternatives of a type; the type itself where it has none. */
export const alternativesOf = (type) => (type.isUnionType() ? (type.getTypes() ?? []) : [type]);

/** Returns a type with all types that it is composed of. */
export const partsOf = (type) =>
  type.isUnionType() || type.isIntersectionType() ? (type.getTypes() ?? []).flatMap(partsOf) : [type];

/** Returns whether a value may be SQL of Kysely, whose text becomes part of the statement. */
export const isSql = (type) => alternativesOf(type).some((one) => one.getSymbol()?.name === "RawBuilder");

export const isUnknown = (type) => Boolean(type.flags & (TypeFlags.Unknown | TypeFlags.Any));

/** Returns the texts and numbers that a type lists; none where it is open. */
export function literalsOf(type) {
  const all = alternativesOf(type);
  const values = all.flatMap((one) => (one.isLiteralType() ? [one.value] : []));
  return values.length === all.length ? values : undefined;
}
