/** Whether PostgreSQL reports that another row has the name, key or place; the transaction can then only end. */
export const isUniqueViolation = (error: unknown): boolean => (error as { code?: string }).code === "23505";
