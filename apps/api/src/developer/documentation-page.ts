/**
 * The API reference as one page: every call with its permitted callers, its request and its answer. The page has no
 * script and loads no other file.
 */
import { bases, type Contract } from "@malote/contracts/contract";
import { errors } from "@malote/contracts/errors";
import { contracts } from "@malote/contracts/index";
import type { FastifyReply } from "fastify";
import * as z from "zod";

const signs: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => signs[sign] ?? "");

const profileNames = { admin: "administrador", operator: "operador", analyst: "analista" };
const baseNames: Record<string, string> = {
  login: "Acesso",
  payments: "Pagamentos",
  contacerta: "ContaCerta",
  simulator: "Simulador (só no ambiente de testes)",
};

function whoMay({ policy }: Contract): string {
  if (policy.access === "public") return "Sem token.";
  if (policy.access === "simulator") return "Só no ambiente de testes, sem token.";
  const people = policy.profiles.map((profile) => profileNames[profile]).join(", ");
  return `${people}${policy.machine ? "; credencial de API" : ""}.`;
}

function schemaOf(schema: z.ZodType): string {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return JSON.stringify(json, null, 2);
}

function block(title: string, schema: z.ZodType | undefined): string {
  if (!schema) return "";
  return `<details><summary>${title}</summary><pre>${escaped(schemaOf(schema))}</pre></details>`;
}

function answerOf({ transport, response }: Contract): string {
  if (transport === "file") return '<p class="quiet">Responde com um arquivo.</p>';
  if (transport === "text") return '<p class="quiet">Responde com um texto.</p>';
  if (transport === "stream")
    return '<p class="quiet">Responde com eventos (text/event-stream), à medida que acontecem.</p>';
  return block("Resposta", response);
}

function callSection(contract: Contract): string {
  return `<section id="${contract.id}">
<h3><span class="method">${contract.method}</span> <code>${escaped(bases[contract.base] + contract.path)}</code></h3>
<p>${escaped(contract.summary)}</p>
<p class="quiet">${escaped(whoMay(contract))}${contract.idempotent ? " Exige <code>Idempotency-Key</code>: repetir a mesma chave devolve a mesma resposta, só para quem a enviou primeiro." : ""}</p>
${block("Parâmetros da consulta", contract.query)}${contract.transport === "multipart" ? '<p class="quiet">Corpo multipart com <code>file</code> e <code>fileName</code>.</p>' : block("Corpo", contract.body)}${answerOf(contract)}
</section>`;
}

const style = `
:root{color-scheme:light dark;--ink:#14201b;--quiet:#4a5851;--paper:#f7f8f7;--surface:#fff;--line:#e1e5e3;--brand:#0b6b4f}
@media(prefers-color-scheme:dark){:root{--ink:#e9efec;--quiet:#aebbb4;--paper:#0f1412;--surface:#161c19;--line:#28302c;--brand:#4cc79b}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:860px;margin:0 auto;padding:32px 16px 80px}h1{font-size:26px;margin:0 0 4px}h2{margin:40px 0 12px;font-size:20px}
h3{font-size:15px;margin:0 0 6px;overflow-wrap:anywhere}section{background:var(--surface);border:1px solid var(--line);border-radius:10px;padding:16px;margin:0 0 12px}
p{margin:0 0 8px}.quiet{color:var(--quiet)}.method{color:var(--brand);font-weight:700}a{color:var(--brand)}
pre{overflow:auto;max-height:420px;font-size:12.5px;border:1px solid var(--line);border-radius:8px;padding:12px;margin:8px 0 0}
summary{cursor:pointer;color:var(--brand)}table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:6px 8px;border-bottom:1px solid var(--line);vertical-align:top}`;

const example = `curl -s $SERVIDOR/api/login/authorize -H 'content-type: application/json' \\
  -d '{"grant_type":"client_credentials","client_id":"…","client_secret":"…"}'

curl -s $SERVIDOR/api/payments/statement/balance -H "authorization: Bearer $TOKEN"`;

let page: string | undefined;

/** Renders the page on first use; it is cached, because the contracts are constant. */
function render(sandbox: boolean): string {
  const shown = contracts.filter((contract) => sandbox || contract.policy.access !== "simulator");
  const groups = Map.groupBy(shown, (contract) => contract.base);
  const sections = [...groups].map(
    ([base, calls]) => `<h2>${baseNames[base] ?? base}</h2>\n${calls.map(callSection).join("\n")}`,
  );
  const codes = Object.entries(errors).map(
    ([code, [status, text]]) =>
      `<tr><td><code>${code}</code></td><td>${status}</td><td>${escaped(text)}</td></tr>`,
  );
  return `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Documentação da API</title><style>${style}</style></head><body><main>
<h1>Documentação da API</h1>
<p>As mesmas chamadas que as telas usam. Valores em centavos inteiros, datas <code>AAAA-MM-DD</code>, instantes ISO 8601 em UTC.
O contrato para máquinas está em <a href="${bases.payments}/openapi.json">openapi.json</a>.</p>
<h2>Começar</h2><section><p>Troque a credencial por um token de 30 minutos e envie-o em cada chamada.</p><pre>${escaped(example)}</pre></section>
${sections.join("\n")}
<h2>Erros</h2><section><p>Toda recusa tem a forma <code>{ code, message, errorCode, data, requestId }</code>.</p>
<table><thead><tr><th>Código</th><th>HTTP</th><th>Texto</th></tr></thead><tbody>${codes.join("")}</tbody></table></section>
</main></body></html>`;
}

export function documentationPage(reply: FastifyReply, sandbox: boolean) {
  page ??= render(sandbox);
  return reply
    .header(
      "content-security-policy",
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    )
    .type("text/html; charset=utf-8")
    .send(page);
}
