/**
 * Replaces zod inside the contracts of the browser build. A screen needs only path, method and policy of a call; the
 * compiler checks its shapes here and the server there, so the validator is not sent. Using a contract's schema in the
 * browser is a mistake, and throws.
 */
const checks = new Set(["parse", "safeParse", "parseAsync", "safeParseAsync", "options", "shape"]);

const nothing: never = new Proxy(() => undefined, {
  apply: () => nothing,
  get: (_target, name) => {
    if (checks.has(String(name))) throw new Error("contract schemas do not check anything in the browser");
    return nothing;
  },
}) as never;

export {
  nothing as any,
  nothing as array,
  nothing as boolean,
  nothing as coerce,
  nothing as discriminatedUnion,
  nothing as email,
  nothing as enum,
  nothing as int,
  nothing as iso,
  nothing as lazy,
  nothing as literal,
  nothing as looseObject,
  nothing as never,
  nothing as null,
  nothing as number,
  nothing as object,
  nothing as optional,
  nothing as partialRecord,
  nothing as preprocess,
  nothing as record,
  nothing as strictObject,
  nothing as string,
  nothing as stringbool,
  nothing as tuple,
  nothing as union,
  nothing as unknown,
  nothing as url,
  nothing as uuid,
};
