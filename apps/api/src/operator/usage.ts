/** Usage text of the command line, its errors, and the format of its output. */
import { companyOptions } from "@malote/contracts/installation";
import { featureFlags, permissions } from "@malote/contracts/policy";

export const usage = `Uso:
  npm run operator -- companies
  npm run operator -- company <CNPJ ou id>                     mostra as opções da empresa
  npm run operator -- company <CNPJ ou id> <opção>=<valor> …   muda o que foi dito e deixa o resto
  npm run operator -- notices
  npm run operator -- incident "<texto>" --link <endereço>
  npm run operator -- maintenance "<texto>" --link <endereço> --from <instante> --until <instante>
  npm run operator -- end-notice <id>
  npm run operator -- notices-in-sandbox on|off
  npm run operator -- block-document <CPF ou CNPJ> "<motivo>"
  npm run operator -- unblock-document <CPF ou CNPJ>
  npm run operator -- routes [<CNPJ ou id>]                              por que conexão vão os pagamentos de cada método
  npm run operator -- route <CNPJ ou id> <método> <conexão>              PIX, TED, TEV ou BILLET; vale para o que ainda não saiu
  npm run operator -- remove-route <CNPJ ou id> <método>                 volta para a conexão da instalação
  npm run operator -- dead-letters                                       eventos que não puderam ser tratados
  npm run operator -- retry-event <assinante> <posição> "<motivo>"       tenta de novo agora
  npm run operator -- skip-event <assinante> <posição> "<motivo>"        desiste dele; os seguintes do mesmo objeto andam
  npm run operator -- network-events                                     o que a rede informou e não pôde ser aplicado
  npm run operator -- close-network-event <id> "<motivo>"                encerra um deles, depois de resolvido com a rede
  npm run operator -- network-file <conexão> <arquivo>                   entrega um arquivo de retorno da rede; o mesmo duas vezes conta uma
  npm run operator -- network-files                                      os arquivos entregues e o que se leu deles
  npm run operator -- payment-outcome <id fim a fim> paid|failed "<motivo>"   o que a rede disse de um pagamento sem resultado
  npm run operator -- keys                                               com que chaves está cifrado o que está guardado
  npm run operator -- reencrypt                                          cifra tudo com a chave de MALOTE_SECRET
  npm run operator -- forget-secrets                                     apaga o que nenhuma chave desta instalação abre

Opções de uma empresa:
  true ou false: ${booleanOptions().join(", ")}
  permissions=all, =none, =a,b ou =-a,+b     códigos: ${permissions.join(", ")}
  feature_flags=none, =a,b ou =-a,+b         códigos: ${featureFlags.join(", ")}
  payment_price=<centavos> ou default        apiAccessToken=<chave> ou none

Com --json a resposta é JSON. Instantes são ISO 8601, como 2026-11-30T02:00:00-03:00.`;

/** Error that the operator can correct in the command. */
export class WrongCommand extends Error {}

function booleanOptions(): string[] {
  return Object.entries(companyOptions.shape)
    .filter(([, schema]) => schema.type === "boolean")
    .map(([name]) => name);
}

export interface Answer {
  data: unknown;
  text: string;
}
export const answer = (data: unknown, text: string): Answer => ({ data, text });
