/** Users and credentials in the statements of other features: names, e-mails and joins as SQL. */
import { type RawBuilder, sql } from "kysely";

type Piece = RawBuilder<unknown>;

/** Name of a user, even a removed one; null for a credential or an unknown id. */
export const sqlUserName = (companyId: Piece, id: Piece): RawBuilder<string | null> =>
  sql`(SELECT u.name FROM users u WHERE u.company_id = ${companyId} AND u.id = ${id})`;

/** E-mail of a person, even a removed one; null for a credential. */
export const sqlEmailOf = (companyId: Piece, id: Piece): RawBuilder<string | null> =>
  sql`(SELECT u.email FROM users u WHERE u.company_id = ${companyId} AND u.id = ${id})`;

/** Joins the users of rows as `u`. */
export const sqlJoinUser = (companyId: Piece, id: Piece): Piece =>
  sql`JOIN users u ON u.company_id = ${companyId} AND u.id = ${id}`;

/** The person behind an id: the maker of a credential, else the id itself. */
export const sqlPersonBehind = (companyId: Piece, id: Piece): RawBuilder<string> =>
  sql`coalesce((SELECT a.created_by FROM api_credentials a WHERE a.company_id = ${companyId} AND a.id = ${id}), ${id})`;

/** SQL condition: the user signs in with a second factor. */
export const sqlHasSecondFactor = (companyId: Piece, id: Piece): RawBuilder<boolean> =>
  sql`EXISTS (SELECT FROM users WHERE company_id = ${companyId} AND id = ${id} AND two_factor_at IS NOT NULL)`;
