/** Answers of calls as tests read them. */
import type { Contract, ResponseOf } from "@malote/contracts/contract";
import type { ErrorBody } from "@malote/contracts/errors";

// biome-ignore lint/suspicious/noExplicitAny: the answer of a call by its path has no contract that types it
export interface Answer<Body = any> {
  status: number;
  body: Body;
  headers: Record<string, unknown>;
}

/**
 * A body as a test reads it: every field of every variant, without null and undefined, and list rows that exist. The
 * compiler finds a renamed field; a missing value fails the test's assertion.
 */
type Known<Value> = Value extends readonly (infer Row)[]
  ? Rows<Known<Row>>
  : Value extends object
    ? { [Field in keyof Value]-?: KnownField<Value[Field]> }
    : Value;
// biome-ignore lint/suspicious/noExplicitAny: the contract leaves such a value open
type KnownField<Value> = unknown extends Value ? any : Known<NonNullable<Value>>;

interface ExistingRows<Row> {
  find(meets: (row: Row) => boolean): Row;
  filter(meets: (row: Row) => boolean): Rows<Row>;
  at(index: number): Row;
}
type Rows<Row> = ExistingRows<Row> & Row[] & Record<0 | 1 | 2 | 3 | 4 | 5, Row>;

type FieldsOf<Union> = Union extends unknown ? keyof Union : never;
/** One object type with the fields of all variants of a union. */
type Merged<Union> = {
  [Field in FieldsOf<Union>]: Union extends { [F in Field]?: infer Value } ? Value : never;
};
type BodyOf<Response> = Known<Merged<Response>> & Omit<Known<ErrorBody>, FieldsOf<Response>>;

/** The answer of a call: the fields of its contract, and those of an error that the contract does not have. */
export type AnswerOf<C extends Contract> = Contract extends C
  ? Answer
  : C["transport"] extends string
    ? Answer
    : Answer<BodyOf<ResponseOf<C>>>;

/** Returns the body of a refusal, also where `data` is a field of the contract too. */
export const errorOf = ({ body }: Answer): Answer["body"] & ErrorBody => body;
