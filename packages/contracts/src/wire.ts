/** Small shapes that every call is composed of. */
import { parseDate } from "@malote/domain/calendar";
import { textOrNull } from "@malote/domain/line-of-text";
import * as z from "zod";

export const id = z.uuid();
/** Whole centavos, exact in JSON. */
export const centavos = z.int();
export const positiveCentavos = z.int().positive();
/** A day within the supported years; any other is a typing error, which no calendar code has to handle. */
export const date = z.iso.date().refine((text) => parseDate(text) !== undefined);
export const instant = z.iso.datetime();
/**
 * A name in its stored form. E-mails and approval requests show one fact per line, so a name with a line break could add
 * a false one, and one with a direction mark could reverse what stands behind it.
 */
export const lineOfText = () => z.string().overwrite((text) => textOrNull(text) ?? "");
/** Writes an instant as `instant` has it; null where there is none. */
export const instantOrNull = (at: Date | null | undefined): string | null => at?.toISOString() ?? null;

export const byId = z.object({ id });

/** A date range and a page, in the form of the requirements' lists. */
export const rangeQuery = z.object({ initialDate: date, endDate: date });

/** An address that a page may link to; it excludes `javascript:`, which is a valid URL too. */
export const webAddress = z.url({ protocol: /^https?$/ });

/** Page numbers start at 0 unless a call defines otherwise (SES-080). */
export const pageFromZero = z.coerce.number().int().min(0).max(1_000_000).default(0);
/** Pages of the statement start at 1 (STM-016). */
export const pageFromOne = z.coerce.number().int().min(1).max(1_000_001).default(1);

/** A filter with several values, sent as a repeated parameter; an empty list means all. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.union([item.transform((one) => [one]), z.array(item).max(50)]).default([]);

export const pagination = z.object({ itemsPerPage: z.int(), totalItems: z.int() });
export const listMetadata = z.object({ pagination });

/** The answer of a call that returns no data. */
export const done = z.object({ ok: z.literal(true) });

export const issue = z.object({
  code: z.string(),
  field: z.string(),
  data: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  suggestion: z.record(z.string(), z.string()).optional(),
});

/** `id` is the bank's ISPB; some banks have no code. */
export const bank = z.object({
  id: z.string(),
  code: z.string().nullable(),
  ispb: z.string(),
  name: z.string(),
  image: z.string().nullable(),
});
