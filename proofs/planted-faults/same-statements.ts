/** Mutants of statements without a visible effect, each with the reason. */
const noZero = "the entries of nothing are refused by a constraint, so none is counted either way";

export const sameStatements: readonly (readonly [mutant: string, because: string])[] = [
  [
    "post_allowed_movements: coalesce(sum(amount) FILTER (WHERE amount > 0), 0)::bigint AS money_in, [> becomes >=]",
    noZero,
  ],
  [
    "post_allowed_movements: coalesce(-sum(amount) FILTER (WHERE amount < 0), 0)::bigint AS money_out [< becomes <=]",
    noZero,
  ],
];
