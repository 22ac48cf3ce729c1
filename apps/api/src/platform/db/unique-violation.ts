/** Returns true when another row has the same unique value; the transaction can then only end. */
export const isUniqueViolation = (error: unknown): boolean => (error as { code?: string }).code === "23505";
