import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import type { PaidPayment } from "@malote/domain/receipt";
import { describe, expect, it } from "vitest";
import { drawReceipt } from "./draw-receipt.ts";
import type { Issuer } from "./printed.ts";
import { linesOf, pagesOf } from "./testing.ts";

const issuer: Issuer = {
  brand: "malote",
  payer: { name: "Aurora", taxId: "27418639000148", agency: "0001", account: "10184", accountDigit: "7" },
};
const paid = (given: Partial<PaidPayment> = {}): PaidPayment => ({
  id: "01990000-0000-7000-8000-000000000001",
  value: 1_234_56,
  paymentMethod: "PIX",
  paidAt: new Date("2026-08-13T02:59:59Z"),
  batchName: "Folha 08/2026",
  name: "Conceição Araújo",
  taxId: "52998224725",
  bankIspb: null,
  agency: null,
  agencyDigit: null,
  account: null,
  accountDigit: null,
  accountType: null,
  pixKeyType: "EMAIL",
  pixKey: "marina@exemplo.com.br",
  description: "13º salário",
  barcode: null,
  dueDate: null,
  integrationId: null,
  endToEndId: "E9999959320260813025900000000001",
  ...given,
});
const draw = (given?: Partial<PaidPayment>, brand: Issuer["brand"] = "malote") =>
  drawReceipt({ ...issuer, brand }, { paid: paid(given), authenticity: "AAAA.BBBB" });
const sum = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

describe("a receipt on paper", () => {
  it("TRF-056 shows every field of a receipt on one page", async () => {
    const pdf = await draw();
    expect(pagesOf(pdf)).toBe(1);
    expect(linesOf(pdf)).toEqual(
      expect.arrayContaining([
        "Malote",
        "Comprovante de Pix",
        "R$ 1.234,56",
        "12/08/2026 às 23:59:59 (horário de Brasília)",
        "Conceição Araújo",
        "***.982.247-**",
        "13º salário",
        "E9999959320260813025900000000001",
        "AAAA.BBBB",
      ]),
    );
  });

  it("shows the company's brand", async () => {
    const pdf = await draw({}, "horizonte");
    expect(linesOf(pdf)).toContain("Horizonte");
    expect(linesOf(pdf)).not.toContain("Malote");
    expect(sum(pdf)).not.toBe(sum(await draw()));
  });

  it("stays on one page and within its lines, whatever people typed", async () => {
    const long = "W".repeat(255);
    const pdf = await draw({
      name: `<script>\u202e${long}`,
      description: "ação ".repeat(28),
      batchName: long.slice(0, 200),
      integrationId: long,
      pixKey: long,
      bankIspb: "60701190",
      agency: "1".repeat(30),
      agencyDigit: "1".repeat(10),
      account: "9".repeat(30),
      accountDigit: "9".repeat(10),
      accountType: "CONTA_PAGAMENTO",
    });
    expect(pagesOf(pdf)).toBe(1);
    const lines = linesOf(pdf);
    expect(lines.at(-1)).toBe("AAAA.BBBB");
    // The text is cut and marked as cut.
    expect(lines.filter((line) => line.endsWith("…")).length).toBe(4);
  });

  it("does not let a text become an instruction of the PDF", async () => {
    const name = ") Tj ET /JavaScript (app.alert(1)) << /OpenAction 1 0 R >> endstream endobj";
    const pdf = (await draw({ name })).toString("latin1");
    expect(pdf).not.toContain("OpenAction");
    expect(pdf).not.toContain("JavaScript");
    expect(pdf.match(/endobj/g)?.length).toBe((await draw()).toString("latin1").match(/endobj/g)?.length);
  });

  it("is the same, byte for byte, on a machine in another time zone", async () => {
    const script = `
      const { drawReceipt } = await import(${JSON.stringify(new URL("./draw-receipt.ts", import.meta.url).href)});
      const given = JSON.parse(process.argv[1]);
      given.paid.paidAt = new Date(given.paid.paidAt);
      const pdf = await drawReceipt(given.issuer, given);
      console.log((await import("node:crypto")).createHash("sha256").update(pdf).digest("hex"));`;
    const given = JSON.stringify({ issuer, paid: paid(), authenticity: "AAAA.BBBB" });
    const there = execFileSync(process.execPath, ["--input-type=module", "-e", script, given], {
      encoding: "utf8",
      env: { ...process.env, TZ: "Pacific/Kiritimati" },
    });
    expect(there.trim()).toBe(sum(await draw()));
  });
});
