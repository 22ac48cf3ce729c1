/**
 * Checks the connections of opened adapters: their ids address calls and rows, so each is one service's alone, and the
 * main network carries what no route sends over another.
 */
import { paymentMethods } from "@malote/domain/payment-limits";
import { type Connection, isConnectionId } from "../ports/connection.ts";
import type { Rails } from "../ports/rails.ts";

/** Connection of a port, with the variable that names its adapter. */
export interface OpenedConnection {
  variable: string;
  adapter: string;
  connection: Connection<unknown>;
}

/** Returns a sentence for each connection that cannot be used. */
export function connectionProblems(opened: readonly OpenedConnection[], main: Rails): string[] {
  const problems = opened.flatMap((one, index) => problemOf(one, opened.slice(0, index)) ?? []);
  const missing = paymentMethods.filter((method) => !main.methods.includes(method));
  if (missing.length > 0)
    problems.push(
      `MALOTE_RAILS: a rede ${main.id} não leva ${missing.join(", ")}, e o que não tem rota vai por ela`,
    );
  return problems;
}

function problemOf(
  { variable, adapter, connection }: OpenedConnection,
  earlier: readonly OpenedConnection[],
): string | undefined {
  const { id } = connection;
  if (!isConnectionId(id))
    return `${variable}: "${id}", do adaptador ${adapter}, não serve de nome de conexão: use letras minúsculas, números e hífens`;
  const others = earlier.filter((one) => one.connection.id === id);
  const other = others.find((one) => one.adapter !== adapter);
  if (other)
    return `${variable}: os adaptadores ${other.adapter} e ${adapter} dão o mesmo nome à sua conexão, ${id}`;
  const feeds = ["webhook", "file"] as const;
  if (feeds.some((feed) => connection[feed] && others.some((one) => one.connection[feed])))
    return `${variable}: o adaptador ${adapter} recebe chamadas ou arquivos de dois serviços com o nome ${id}`;
  return undefined;
}
