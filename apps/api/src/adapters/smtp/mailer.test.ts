import { createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Mail } from "../../ports/mailer.ts";
import { smtpMailer } from "./mailer.ts";

/** Minimal mail server: it stores the e-mails it receives, or refuses them. */
let server: Server;
let lines: string[];
let refuses: boolean;
let port: number;

beforeEach(async () => {
  lines = [];
  refuses = false;
  server = createServer(converse);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as { port: number }).port;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

function converse(socket: Socket) {
  let inData = false;
  let rest = "";
  socket.on("error", () => undefined);
  socket.write("220 teste ESMTP\r\n");
  socket.on("data", (bytes) => {
    rest += bytes.toString("utf8");
    const whole = rest.split("\r\n");
    rest = whole.pop() ?? "";
    for (const line of whole) {
      lines.push(line);
      if (inData) {
        if (line !== ".") continue;
        inData = false;
        socket.write("250 guardado\r\n");
      } else if (line.startsWith("DATA")) {
        inData = true;
        socket.write("354 continue\r\n");
      } else if (line.startsWith("QUIT")) {
        socket.end("221 até logo\r\n");
      } else socket.write(refuses && line.startsWith("RCPT") ? "451 tente mais tarde\r\n" : "250 certo\r\n");
    }
  });
}

const mail: Mail = {
  id: "01920000-0000-7000-8000-000000000001",
  companyId: "01920000-0000-7000-8000-000000000002",
  brand: "horizonte",
  to: "ana@exemplo.com.br",
  subject: "Lote reprovado\r\nBcc: outro@exemplo.com.br",
  text: "Olá\n",
  html: "<p>Olá</p>",
  replyTo: null,
};

it("rejects when the server refuses the e-mail, so that it is retried", async () => {
  refuses = true;
  const mailer = smtpMailer(`smtp://127.0.0.1:${port}`, "Malote <nao-responda@malote.invalid>");
  await expect(mailer.send(mail)).rejects.toThrow();
  mailer.close();
});

it("sends under the brand's name with one id for every try, to one receiver only", async () => {
  const mailer = smtpMailer(`smtp://127.0.0.1:${port}`, "Malote <nao-responda@malote.invalid>");
  await mailer.send(mail);
  mailer.close();
  expect(lines.filter((line) => line.startsWith("RCPT"))).toEqual(["RCPT TO:<ana@exemplo.com.br>"]);
  expect(lines).toContain("From: Horizonte <nao-responda@malote.invalid>");
  expect(lines).toContain(`Message-ID: <${mail.id}@malote.invalid>`);
  expect(lines.some((line) => /^bcc:/i.test(line))).toBe(false);
});

it("SET-016 sets one reply address, and carries the attachment", async () => {
  const mailer = smtpMailer(`smtp://127.0.0.1:${port}`, "Malote <nao-responda@malote.invalid>");
  const attachment = {
    fileName: "Comprovante Ana.pdf",
    contentType: "application/pdf",
    content: Buffer.from("%PDF-1.3 teste"),
  } as const;
  await mailer.send({ ...mail, replyTo: "fin@aurora.example", attachment });
  await mailer.send(mail);
  mailer.close();
  expect(lines.filter((line) => /^reply-to:/i.test(line))).toEqual(["Reply-To: fin@aurora.example"]);
  expect(lines).toContain('Content-Type: application/pdf; name="Comprovante Ana.pdf"');
  expect(lines).toContain(attachment.content.toString("base64"));
});
