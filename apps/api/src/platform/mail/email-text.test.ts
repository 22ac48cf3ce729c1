import { describe, expect, it } from "vitest";
import { renderEmail } from "./email-text.ts";

const unanswered = { replyTo: null };

const hostile = `<img src=x onerror="alert(1)"> & 'aspas'`;

describe("an e-mail", () => {
  it("refuses a link that is not to a web page", () => {
    for (const url of ["javascript:alert(1)", "/lotes/1", "data:text/html,x", "//sem-esquema"]) {
      const content = { greeting: "Olá", paragraphs: [], button: { label: "Ver", url } };
      expect(() => renderEmail("malote", "Aviso", content, unanswered)).toThrow("cannot link");
    }
  });

  it("shows typed text as text, never as markup", () => {
    const { html, text } = renderEmail(
      "malote",
      hostile,
      {
        greeting: hostile,
        paragraphs: [hostile],
        facts: [{ label: hostile, value: hostile }],
        button: { label: hostile, url: `https://exemplo.com.br/?a="><script>x</script>` },
      },
      { replyTo: hostile, paidBy: hostile },
    );
    expect(html).not.toContain("<img");
    expect(html).not.toContain("<script");
    expect(
      html.match(/&lt;img src=x onerror=&quot;alert\(1\)&quot;&gt; &amp; &#39;aspas&#39;/g),
    ).toHaveLength(8);
    expect(text).toContain(hostile);
  });

  it("SHL-003 has the same content as HTML and as plain text, with the brand's name and without external resources", () => {
    const content = {
      greeting: "Olá, Ana.",
      paragraphs: ["O lote foi reprovado.", "Corrija e envie de novo."],
      facts: [
        { label: "Lote", value: "Folha de novembro" },
        { label: "Valor", value: "R$ 1.234,56" },
      ],
      button: { label: "Abrir lote", url: "https://malote.exemplo.com.br/lotes/1?a=1&b=2" },
    };
    const { html, text } = renderEmail("horizonte", "Lote reprovado", content, unanswered);
    for (const part of [
      "Olá, Ana.",
      "O lote foi reprovado.",
      "Folha de novembro",
      "R$ 1.234,56",
      "Horizonte",
    ]) {
      expect(html).toContain(part);
      expect(text).toContain(part);
    }
    expect(text).toContain("Lote: Folha de novembro\nValor: R$ 1.234,56");
    expect(text).toContain("https://malote.exemplo.com.br/lotes/1?a=1&b=2");
    expect(html).toContain('href="https://malote.exemplo.com.br/lotes/1?a=1&amp;b=2"');
    expect(html).not.toMatch(/\ssrc=|url\(|<link|@import/);
    expect(html).not.toContain("Malote");
    expect(text).not.toContain("Malote");
  });

  it("sets the reply address, and names the payer to the payee", () => {
    const content = { greeting: "Olá!", paragraphs: ["Pronto."] };
    const lastLine = (footing: Parameters<typeof renderEmail>[3]) =>
      renderEmail("malote", "Aviso", content, footing).text.trim().split("\n").at(-1);
    expect(lastLine({ replyTo: null })).toBe(
      "Você recebeu este e-mail porque usa o Malote. Não responda a esta mensagem.",
    );
    expect(lastLine({ replyTo: "fin@aurora.example" })).toBe(
      "Você recebeu este e-mail porque usa o Malote. Se responder, sua mensagem vai para fin@aurora.example.",
    );
    expect(lastLine({ replyTo: null, paidBy: "Aurora Ltda" })).toBe(
      "Você recebeu este e-mail porque Aurora Ltda pagou você pelo Malote. Não responda a esta mensagem.",
    );
  });
});
