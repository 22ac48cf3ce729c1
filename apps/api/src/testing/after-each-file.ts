/** Runs in the process of the tests, for each file of them. */
import { afterAll } from "vitest";
import { dropTestDatabases } from "../platform/db/test-database.ts";

afterAll(dropTestDatabases);
