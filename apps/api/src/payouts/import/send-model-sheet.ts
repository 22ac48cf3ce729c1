import type * as contracts from "@malote/contracts/import";
import { fileTypes } from "../../platform/files/file-types.ts";
import { sendFile } from "../../platform/http/send-file.ts";
import type { Call } from "../../platform/http/serve.ts";
import { writeModelSheet } from "./sheet/model-sheets.ts";

const modelNames = {
  transfer: "Modelo de transferências",
  "transfer-pix": "Modelo de transferências com chave Pix",
  billet: "Modelo de boletos",
};

/** Sends an empty sheet with the headings of a kind of payment. */
export async function sendModelSheet({ params, query, reply }: Call<typeof contracts.downloadModelSheet>) {
  const content = await writeModelSheet(params.kind, query.format);
  const name = `${modelNames[params.kind]}.${query.format}`;
  return sendFile(reply, { name, type: fileTypes[query.format], content });
}
