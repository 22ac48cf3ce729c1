import { readBalance, readStatement } from "@malote/contracts/statement";
import type { Serve } from "../platform/http/serve.ts";
import * as statement from "./read.ts";

export function statementRoutes({ serve }: Serve): void {
  serve(readStatement, statement.readPage);
  serve(readBalance, statement.readBalance);
}
