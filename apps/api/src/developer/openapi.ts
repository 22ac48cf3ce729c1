/** Builds the OpenAPI file from the calls that the server knows, with their possible refusals. */
import { contracts } from "@malote/contracts/index";
import { refusalStatuses } from "@malote/contracts/statuses";
import type { FastifyInstance } from "fastify";

const refusals: Readonly<Record<number, string>> = {
  400: "O pedido não pôde ser entendido; `data.fields` diz o que conferir",
  401: "Sem token, ou com um que já não vale",
  403: "O token não permite esta chamada",
  404: "Não existe, ou é de outra empresa",
  409: "A situação mudou: consulte de novo antes de repetir",
  413: "O conteúdo enviado é grande demais",
  415: "Este formato não é aceito aqui",
  422: "O pedido foi entendido e não pode ser atendido; `code` diz por quê",
  429: "Chamadas ou tentativas demais: espere o que diz `Retry-After`",
  500: "Falha nossa",
  503: "Indisponível por instantes: tente de novo depois de `Retry-After`",
};

const errorSchema = {
  type: "object",
  required: ["code", "message", "errorCode", "data", "requestId"],
  additionalProperties: false,
  properties: {
    code: { type: "string" },
    message: { type: "string" },
    errorCode: { type: "string" },
    data: { type: ["object", "null"] },
    requestId: { type: "string" },
  },
};

const refusal = (status: number) => ({
  description: refusals[status] ?? "",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
});

interface Document {
  components?: Record<string, unknown>;
  paths?: Record<string, Record<string, { operationId?: string; responses?: object }>>;
}

export function openApiOf(app: FastifyInstance): Document {
  const document = app.swagger() as Document;
  const byId = new Map(contracts.map((contract) => [contract.id, contract]));
  for (const operation of Object.values(document.paths ?? {}).flatMap((path) => Object.values(path))) {
    const contract = byId.get(operation.operationId ?? "");
    if (!contract) continue;
    const documented = refusalStatuses(contract).map((status) => [status, refusal(status)] as const);
    operation.responses = { ...operation.responses, ...Object.fromEntries(documented) };
  }
  return { ...document, components: { ...document.components, schemas: { Error: errorSchema } } };
}
