/**
 * Planted faults, one at a time: changed rules of the database, lost state, a step outside its transaction. A
 * simulation that would not find and shrink them proves nothing.
 */
import { companyId } from "./names.ts";
import type { SystemUnderTest } from "./system-under-test.ts";

/** Plants a fault in the product and returns the function that removes it. */
export type Plant = (system: SystemUnderTest) => Promise<() => Promise<void>>;

/** Replaces the ledger's own function by one that changes its input first. */
const posting =
  (change: string): Plant =>
  async ({ client }) => {
    await client.query(`
      ALTER FUNCTION post_movements(uuid, timestamptz, movement[]) RENAME TO post_movements_unchanged;
      CREATE FUNCTION post_movements(p_company uuid, p_at timestamptz, p_movements movement[]) RETURNS boolean
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
      DECLARE
        movement_given movement;
        changed movement[] := '{}';
      BEGIN
        FOREACH movement_given IN ARRAY p_movements LOOP
          ${change}
        END LOOP;
        RETURN post_movements_unchanged(p_company, p_at, changed);
      END $$;
      GRANT EXECUTE ON FUNCTION post_movements(uuid, timestamptz, movement[]) TO malote_app`);
    return async () => {
      await client.query(`
        DROP FUNCTION post_movements(uuid, timestamptz, movement[]);
        ALTER FUNCTION post_movements_unchanged(uuid, timestamptz, movement[]) RENAME TO post_movements`);
    };
  };

/**
 * Changes rows of a table as they are written, after every other trigger; PostgreSQL fires triggers in the order of
 * their names.
 */
const writing =
  (table: string, when: string, change: string): Plant =>
  async ({ client }) => {
    await client.query(`
      CREATE FUNCTION corrupt_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${change} RETURN NEW; END $$;
      CREATE TRIGGER zz_corrupted BEFORE ${when} ON ${table} FOR EACH ROW EXECUTE FUNCTION corrupt_row()`);
    return async () =>
      void (await client.query(`DROP TRIGGER zz_corrupted ON ${table}; DROP FUNCTION corrupt_row()`));
  };

const again = (cause: string) => `
  changed := changed || movement_given;
  IF movement_given.cause LIKE '${cause}' THEN
    movement_given.cause := movement_given.cause || ':again'; movement_given.id := gen_random_uuid(); changed := changed || movement_given;
  END IF;`;

export const plants: Record<string, Plant> = {
  "a refund posts twice": posting(again("refund:%")),
  "an event's payment posts twice": posting(again("paid:%")),
  "closing reserves one centavo too little": posting(`
    IF movement_given.cause LIKE 'close:%' AND movement_given.amount > 1 THEN movement_given.amount := movement_given.amount - 1; END IF;
    changed := changed || movement_given;`),
  "a deposit that is reported twice is posted twice": posting(`
    IF movement_given.cause LIKE 'pix:%' THEN movement_given.cause := movement_given.cause || ':' || movement_given.id; END IF;
    changed := changed || movement_given;`),
  "a payment that the bank sent back stays reserved": posting(`
    IF movement_given.cause LIKE 'returned:%' THEN movement_given.to_account := 'reserved'; END IF;
    changed := changed || movement_given;`),
  "the newest waiting batch gets the money first": writing(
    "batches",
    "UPDATE",
    `IF NEW.status = 'WAITING' AND OLD.status <> 'WAITING' THEN
       NEW.waiting_since := timestamptz '2026-01-01' + (timestamptz '2028-01-01' - NEW.waiting_since);
     END IF;`,
  ),
  "a failed payment counts as returned, without its money": writing(
    "transfers",
    "UPDATE",
    "IF NEW.status = 'FAILED' THEN NEW.status := 'RETURNED'; END IF;",
  ),
  "a TED after the cut-off is sent on the same day": writing(
    "transfers",
    "UPDATE",
    `IF NEW.status = 'SCHEDULED' AND NEW.payment_method = 'TED' AND NEW.payment_date IS NULL AND EXISTS (
       SELECT FROM batches WHERE company_id = NEW.company_id AND id = NEW.batch_id
         AND (closed_at AT TIME ZONE 'America/Sao_Paulo')::time BETWEEN '16:30:01' AND '23:59:59'
     ) THEN
       NEW.status := 'RECEIVED'; NEW.execute_at := OLD.created_at;
     END IF;`,
  ),
  "an answer is not stored, so that a repeated call is carried out again": writing(
    "idempotency_keys",
    "INSERT",
    "RETURN NULL;",
  ),
  "the editor of a batch is not recorded": writing("batches", "UPDATE", "NEW.edited_by := OLD.edited_by;"),
  "a payment counts as handed over before it is": writing(
    "transfers",
    "UPDATE",
    "IF NEW.status = 'EXECUTING' AND OLD.status <> 'EXECUTING' THEN NEW.sent_at := NEW.claimed_at; END IF;",
  ),
  "returned money is not offered to waiting batches": writing(
    "simulation_jobs",
    "INSERT",
    `IF NEW.queue = 'pay-waiting-batches' AND EXISTS (SELECT FROM transfers WHERE status = 'RETURNED') THEN
       RETURN NULL;
     END IF;`,
  ),
  "the money moves in a separate transaction": async ({ processes }) => {
    const beginAgain = `BEGIN; SET LOCAL ROLE malote_app; SET LOCAL app.company_id = '${companyId}'`;
    for (const { faults } of processes) faults.commitAfter = { statement: "post_movements(", beginAgain };
    return async () => {
      for (const { faults } of processes) faults.commitAfter = undefined;
    };
  },
  "the money of a failed withdrawal stays reserved": posting(`
    CONTINUE WHEN movement_given.cause LIKE 'returned:%' AND movement_given.from_account = 'reserved';
    changed := changed || movement_given;`),
  "a withdrawal is sent at any hour": writing(
    "transfers",
    "INSERT",
    "IF NEW.status = 'SCHEDULED' THEN NEW.status := 'RECEIVED'; NEW.execute_at := NEW.created_at; END IF;",
  ),
};
