/** Setup that runs in the test process, once for each test file. */
import { afterAll } from "vitest";
import { dropTestDatabases } from "../platform/db/test-database.ts";

afterAll(dropTestDatabases);
