import { currentMonth, daysOfMonth, isMonth, type Month, readDate } from "../ui/format.ts";

/**
 * What a parameter is for: to narrow a list, to say where in the list the page stands, by number or by cursor, how many
 * rows it has, or something else, as an open record. Another filter starts the list again at its beginning.
 */
type Role = "filter" | "page" | "cursor" | "size" | "other";

/** One parameter of an address. Absent is what a page uses when its address lacks the parameter. */
export interface SearchParam<Value, Absent = Value> {
  role: Role;
  /** Undefined for text that means nothing: the parameter then counts as absent and leaves the address. */
  read: (text: string) => Value | undefined;
  absent: () => Absent;
}

/** Parameters that a page reads from its address, by their names in it. */
export type SearchParams = Readonly<Record<string, SearchParam<unknown, unknown>>>;

type ValueOf<Param> = Param extends SearchParam<infer Value, unknown> ? Value : never;
type AbsentOf<Param> = Param extends SearchParam<unknown, infer Absent> ? Absent : never;

/** What a link to the page may say. */
export type AddressOf<Params extends SearchParams> = {
  [Name in keyof Params]?: ValueOf<Params[Name]> | undefined;
};

/** What the page works with. */
export type ValuesOf<Params extends SearchParams> = {
  [Name in keyof Params]: ValueOf<Params[Name]> | AbsentOf<Params[Name]>;
};

/** Change of an address; null removes a parameter. */
export type PatchOf<Params extends SearchParams> = {
  [Name in keyof Params]?: ValueOf<Params[Name]> | null | undefined;
};

/** Registry of the pages that read their address: each adds its parameters beside their definition. */
// biome-ignore lint/suspicious/noEmptyInterface: the features add to it
export interface PageSearches {}

type Given = Readonly<Record<string, unknown>>;

/** A link gives values and the address bar gives text, so both are read as text. */
function readOne(param: SearchParam<unknown, unknown>, given: unknown): unknown {
  return given === undefined || given === null ? undefined : param.read(String(given));
}

/**
 * Values that the address gives. A parameter that is absent stays absent: parameters keep the order in which a person
 * set them, and an address never names a default.
 */
export function readAddress<Params extends SearchParams>(params: Params, given: Given): AddressOf<Params> {
  const present = Object.entries(params).filter(([name]) => given[name] !== undefined);
  return Object.fromEntries(
    present.map(([name, param]) => [name, readOne(param, given[name])]),
  ) as AddressOf<Params>;
}

export function readValues<Params extends SearchParams>(params: Params, given: Given): ValuesOf<Params> {
  return Object.fromEntries(
    Object.entries(params).map(([name, param]) => [name, readOne(param, given[name]) ?? param.absent()]),
  ) as ValuesOf<Params>;
}

/** Page number, counted from 1. */
export const pageNumber: SearchParam<number> = {
  role: "page",
  read: (text) => {
    const page = Math.floor(Number(text));
    return Number.isSafeInteger(page) && page >= 1 ? page : undefined;
  },
  absent: () => 1,
};

/** A month, the current one by default. */
export const month: SearchParam<Month> = {
  role: "filter",
  read: (text) => (isMonth(text) ? text : undefined),
  absent: () => currentMonth(),
};

/** A day of the calendar, `YYYY-MM-DD`. */
export const day = <Absent>(absent: () => Absent): SearchParam<string, Absent> => ({
  role: "filter",
  read: (text) => readDate(text) ?? undefined,
  absent,
});

/** Both days of a period, the current month by default. */
export const period = {
  de: day(() => daysOfMonth(currentMonth()).initialDate),
  ate: day(() => daysOfMonth(currentMonth()).endDate),
};

/** Text that a person typed. */
export const text = (lengthMax = 100): SearchParam<string> => ({
  role: "filter",
  read: (given) => given.slice(0, lengthMax),
  absent: () => "",
});

/** Id of an open record or an address: its reader judges it. */
export const opaque: SearchParam<string, undefined> = {
  role: "other",
  read: (given) => given || undefined,
  absent: () => undefined,
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isUuid = (given: string): boolean => uuid.test(given);

/** Id or word that names something; any other text counts as absent. */
export const naming = (isName: (given: string) => boolean): SearchParam<string, undefined> => ({
  ...opaque,
  read: (given) => (isName(given) ? given : undefined),
});

/** Place in a list that is too long for page numbers. */
export const cursor: SearchParam<string, undefined> = {
  role: "cursor",
  read: (given) => given.slice(0, 500) || undefined,
  absent: () => undefined,
};

/** Text of one form, as an ISPB. */
export const matching = (form: RegExp): SearchParam<string, null> => ({
  role: "filter",
  read: (given) => (form.test(given) ? given : undefined),
  absent: () => null,
});

/** One of several words. */
export const choice = <Word extends string>(words: readonly Word[]): SearchParam<Word, null> => ({
  role: "filter",
  read: (given) => words.find((word) => word === given),
  absent: () => null,
});

/** Several of several words, separated by commas. */
export const choices = <Word extends string>(words: readonly Word[]): SearchParam<Word[]> => ({
  role: "filter",
  read: (given) => {
    const chosen = new Set(given.split(","));
    const known = [...chosen].flatMap((one) => words.filter((word) => word === one));
    return known.length > 0 ? known : undefined;
  },
  absent: () => [],
});

/** One of several sizes, the first by default. */
export const size = <Size extends number>(sizes: readonly [Size, ...Size[]]): SearchParam<Size> => ({
  role: "size",
  read: (given) => sizes.find((known) => known === Number(given)),
  absent: () => sizes[0],
});
