/**
 * Fictitious people and companies of the sandbox: the same text always gives the same one. Their documents have no real
 * owner.
 */
import { isTaxId } from "@malote/domain/tax-id";
import { shareOf } from "./chance.ts";

const firstNames = ["Ana", "Bruno", "Carla", "Davi", "Elisa", "Fábio", "Gabriela", "Heitor", "Iara", "Jonas"];
const lastNames = ["Almeida", "Barros", "Cardoso", "Dias", "Esteves", "Farias", "Guedes", "Lopes", "Moura"];
const trades = ["Comércio", "Serviços", "Alimentos", "Transportes", "Materiais", "Tecnologia", "Móveis"];

const pick = <T>(list: readonly T[], text: string): T => list[Math.floor(shareOf(text) * list.length)] as T;

/** Returns a document whose two check digits are found by trying all hundred pairs. */
function documentOf(text: string, length: 11 | 14): string {
  const body = length - 2;
  const digits = String(Math.floor(shareOf(text) * 1e9)).padStart(9, "1");
  const start = length === 11 ? digits.slice(0, 9) : `${digits.slice(0, 8)}0001`;
  for (let check = 0; check < 100; check++) {
    const taxId = start + String(check).padStart(2, "0");
    if (isTaxId(taxId)) return taxId;
  }
  return documentOf(`${text} again ${body}`, length);
}

export function inventedParty(
  text: string,
  kind: "person" | "company" = "person",
): { name: string; taxId: string } {
  const [first, last] = [pick(firstNames, `${text} first`), pick(lastNames, `${text} last`)];
  return kind === "person"
    ? { name: `${first} ${last} ${pick(lastNames, `${text} more`)}`, taxId: documentOf(text, 11) }
    : { name: `${last} ${pick(trades, `${text} trade`)} Ltda`, taxId: documentOf(text, 14) };
}
