/** Every file that is answered: how it is named, what it is, and whether a browser keeps or shows it. */
import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

interface SentFile {
  /** With its ending. Any text: the header holds nothing of it that could end the name. */
  name: string;
  type: string;
  /** Known beforehand, of a stream. */
  bytes?: number | null;
  content: Readable | Uint8Array;
}

/** A file to be kept. */
export const sendFile = (reply: FastifyReply, file: SentFile): FastifyReply =>
  send(reply, file, "attachment");

/**
 * A file that a browser saves, or shows where a page asks for a picture. A person uploaded it: whatever type its
 * bytes resemble, no page of ours runs it.
 */
export function sendUntrustedFile(
  reply: FastifyReply,
  file: SentFile,
  disposition: "attachment" | "inline" = "attachment",
): FastifyReply {
  reply.header("content-security-policy", "default-src 'none'; sandbox");
  return send(reply, file, disposition);
}

function send(
  reply: FastifyReply,
  { name, type, bytes, content }: SentFile,
  disposition: "attachment" | "inline",
): FastifyReply {
  if (bytes) reply.header("content-length", String(bytes));
  return reply.type(type).header("content-disposition", contentDisposition(name, disposition)).send(content);
}

/** RFC 6266: the name in plain ASCII for old programs, and in full for the others. */
export function contentDisposition(
  name: string,
  disposition: "attachment" | "inline" = "attachment",
): string {
  const plain = name
    .normalize("NFD")
    .replace(/[^ -~]|["\\%/]/g, "")
    .trim();
  return `${disposition}; filename="${plain || "arquivo"}"; filename*=UTF-8''${encoded(name.toWellFormed())}`;
}

/** RFC 8187: what encodeURIComponent leaves as it is and a header may not hold. */
const encoded = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
