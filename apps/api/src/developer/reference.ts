/** The API reference: the OpenAPI file and a page for readers, both generated from the contracts. */

import swagger from "@fastify/swagger";
import { bases } from "@malote/contracts/contract";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform } from "fastify-type-provider-zod";
import { documentationPage } from "./documentation-page.ts";
import { openApiOf } from "./openapi.ts";

export async function developerRoutes(app: FastifyInstance, sandbox: boolean): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      // Without a brand, like the page that shows it: users of every brand read it (SHL-003).
      info: {
        title: "API de pagamentos",
        version: "1",
        description: "Pagamentos em lote para empresas brasileiras.",
      },
      components: { securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } } },
      security: [{ bearer: [] }],
    },
    transform: jsonSchemaTransform,
  });
  app.get(`${bases.payments}/openapi.json`, { schema: { hide: true } }, () => openApiOf(app));
  app.get("/docs", { schema: { hide: true } }, (_request, reply) => documentationPage(reply, sandbox));
}
