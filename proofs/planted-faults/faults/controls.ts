import type { Fault } from "../fault.ts";

const controls = (subject: string, title: string) => ({
  file: `apps/api/src/controls/${subject}.test.ts`,
  test: title,
});
const limits = (title: string) => ({ file: "apps/api/src/limits/limits.test.ts", test: title });

/** Faults of approval rules and of limits. */
export const controlFaults: Fault[] = [
  {
    name: "the sums of limits count every payment as zero",
    plant: {
      sql: `CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.value := 0; RETURN NEW; END $$;
        CREATE TRIGGER planted BEFORE INSERT OR UPDATE ON limit_sums FOR EACH ROW EXECUTE FUNCTION planted()`,
    },
    caughtBy: limits("COM-035 COM-036 STM-029 binds a withdrawal by the limit of one payment"),
  },
  {
    name: "the admin who gave a person access is not recorded",
    plant: { sql: "DROP TRIGGER users_keep_access_given ON users" },
    caughtBy: controls("new-people", "count as one preparer with the person for a day each"),
  },
  {
    name: "entries of the audit trail are not chained",
    plant: { sql: "DROP TRIGGER audit_entries_are_chained ON audit_entries" },
    caughtBy: {
      file: "apps/api/src/platform/audit.test.ts",
      test: "makes two complete chains of many concurrent entries of two processes and two companies",
    },
  },
];
