import { rejectBatch } from "@malote/contracts/batch-life";
import { listMails } from "@malote/contracts/simulator";
import { tokenStorageKey } from "@malote/contracts/token-storage";
import { type PixDescriptionNode, parsePixDescription } from "@malote/domain/pix-description";
import { renderEmail } from "../../apps/api/src/platform/mail/email-text.ts";
import { proof } from "../proof.ts";
import { hostileMarkup } from "./markup.ts";
import { type PoisonedPayments, poisonedPayments, together } from "./poisoned-payments.ts";
import { rawHtmlIn, rawHtmlInBuilt, rawHtmlInSource, rawHtmlInSources, strangersAmong } from "./raw-html.ts";
import { type Watch, watchedBrowser } from "./watched-browser.ts";

const all = hostileMarkup.length;
const settleMs = 10_000;

proof(
  "S7",
  "shows markup in texts as text, on every screen and in every e-mail",
  { unit: "payloads", short: together, reduced: 400, full: all },
  async ({ count, seed, report }) => {
    const faults = [
      ...rawHtmlInSources().map((found) => `our own source writes HTML: ${found}`),
      ...rawHtmlInBuilt().map((found) => `what is built writes HTML: ${found}`),
      ...hostileMarkup.flatMap(strangeTree),
    ];
    const desk = await poisonedPayments();
    const watch = await watchedBrowser([desk.url]);
    let screens = 0;
    let shown = 0;
    try {
      const pages = await signInAndFindPages(watch, desk);
      faults.push(...(await unprotectedPages(desk, [...pages, "/entrar", "/simulador"])));
      for (const payloads of inGroups(count, seed)) {
        await desk.poison(payloads);
        for (const path of pages) {
          const seen = await look(watch, desk.url + path, payloads);
          shown += seen.shown;
          faults.push(...seen.faults.map((fault) => `${path}: ${fault}`));
          screens++;
        }
        faults.push(...(await emails(watch, payloads)).map((fault) => `e-mail: ${fault}`));
        report(`${screens} screens looked at, ${shown} payloads read on them, ${faults.length} faults`);
      }
      // An empty screen would prove nothing.
      if (shown < count) faults.push(`only ${shown} payloads were ever seen`);
      faults.push(...(await aRealEmail(watch, desk)));
      const planted = await plant(watch, desk);
      return { faults, figures: { made: all, screens, shown }, planted };
    } finally {
      await watch.close();
      await desk.close();
    }
  },
);

/** Checks the domain's own parser: four marks and text, whatever the input. */
function strangeTree(written: string): string[] {
  const parsed = parsePixDescription(written);
  const tags = (nodes: readonly PixDescriptionNode[]): string[] =>
    nodes.flatMap((node) => (typeof node === "string" ? [] : [node.tag, ...tags(node.children)]));
  const strange =
    parsed.kind === "refused" ? [] : tags(parsed.tree).filter((tag) => !/^(b|i|em|strong)$/.test(tag));
  return strange.map((tag) => `${written} was read as <${tag}>`);
}

/** Returns groups as large as a screen's page; the seed selects the part of the list. */
function inGroups(count: number, seed: number): string[][] {
  const start = (seed * together) % all;
  const chosen = Array.from(
    { length: Math.min(count, all) },
    (_, n) => hostileMarkup[(start + n) % all] ?? "",
  );
  return Array.from({ length: Math.ceil(chosen.length / together) }, (_, n) =>
    chosen.slice(n * together, (n + 1) * together),
  );
}

/**
 * Returns every page of the side menu, so that a new one needs no line here, and the pages with an address of their
 * own.
 */
async function signInAndFindPages({ page }: Watch, desk: PoisonedPayments): Promise<string[]> {
  await page.goto(`${desk.url}/entrar`);
  await page.evaluate(([key, token]) => localStorage.setItem(key, token), [
    tokenStorageKey,
    desk.kit.operator.token,
  ] as const);
  await page.goto(`${desk.url}/pagamentos/lotes`);
  await page.locator("nav a[href^='/']").first().waitFor();
  const linked = await page
    .locator("nav a[href^='/']")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  return [
    ...new Set([
      // The logout would end the session of the other pages.
      ...linked.filter((path) => path !== "/logout"),
      ...desk.batches.map((id) => `/pagamentos/lotes?lote=${id}`),
      `/pagamentos/importacao-de-planilha?planilha=${desk.sheet}`,
      "/simulador",
    ]),
  ];
}

async function look(watch: Watch, address: string, payloads: readonly string[]) {
  const { page } = watch;
  await page.goto(address);
  // The loading page disappears when the app replaces it.
  await page.locator(".opening").waitFor({ state: "detached", timeout: settleMs });
  await page.waitForLoadState("networkidle", { timeout: settleMs }).catch(() => undefined);
  const shown = await page.evaluate(async (texts) => {
    // Content that waits for a delay or for focus gets both.
    for (const element of document.querySelectorAll<HTMLElement>(
      "main button, dialog[open] button[aria-expanded]",
    ))
      element.focus();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const fields = [...document.querySelectorAll<HTMLInputElement>("input, textarea")].map(
      ({ value }) => value,
    );
    const whole = `${document.body.textContent}\n${fields.join("\n")}`;
    // A card cuts long texts; their beginnings are distinct enough.
    return texts.filter((text) => whole.includes(text.slice(0, 15))).length;
  }, payloads);
  return { shown, faults: await watch.seen() };
}

/** Renders e-mails as a careless mail program would: as pages without restrictions. */
async function emails(watch: Watch, payloads: readonly string[]): Promise<string[]> {
  const drawn = payloads.map(
    (text) =>
      renderEmail(
        "malote",
        text,
        {
          greeting: text,
          paragraphs: [text],
          facts: [{ label: text, value: text }],
          button: { label: text, url: `https://exemplo.com.br/?${text}` },
        },
        { replyTo: text, paidBy: text },
      ).html,
  );
  return drawAsPages(watch, drawn);
}

async function drawAsPages(watch: Watch, pages: readonly string[]): Promise<string[]> {
  const { page } = watch;
  await page.goto("about:blank");
  await page.setContent("<p>cartas</p>");
  const strange = await page.evaluate(async (htmls) => {
    const found: string[] = [];
    for (const html of htmls) {
      const frame = document.createElement("iframe");
      frame.srcdoc = html;
      const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
      document.body.append(frame);
      await loaded;
      const inside = frame.contentDocument;
      const odd = [...(inside?.querySelectorAll("*") ?? [])].filter(
        (element) =>
          /^(script|img|svg|iframe|object|embed|form|input|link|base|video|audio|math|details|marquee|b)$/.test(
            element.localName,
          ) || [...element.attributes].some(({ name }) => name.startsWith("on")),
      );
      found.push(...odd.map((element) => `became an element: ${element.outerHTML.slice(0, 120)}`));
      frame.remove();
    }
    return found;
  }, pages);
  await page.setContent("<p>cartas</p>");
  return [...strange, ...(await watch.seen())];
}

/** Returns an e-mail that the product itself sent, with a batch's name and a person's reason. */
async function aRealEmail(watch: Watch, desk: PoisonedPayments): Promise<string[]> {
  const { kit } = desk;
  const hostile = "<img src=x onerror=xss()>";
  await kit.services.db.pool.query(
    `UPDATE batches SET status = 'WAITING_APPROVAL', name = $1, created_by = (SELECT id FROM users WHERE email = 'rui@aurora.example')
     WHERE id = $2`,
    [hostile, desk.batches[0]],
  );
  const rejected = await kit.admin.call(rejectBatch, {
    params: { id: desk.batches[0] ?? "" },
    body: { reason: hostile },
  });
  if (rejected.status !== 200) return [`no person could reject: ${JSON.stringify(rejected.body)}`];
  await kit.drainJobs();
  const sent = kit.mails.map(({ html }) => html);
  const held = await kit.call(listMails);
  const shown = [
    ...sent,
    ...((held.body.data ?? held.body ?? []) as { html: string }[]).map(({ html }) => html),
  ];
  if (!shown.some((html) => html.includes("&lt;img"))) return ["no e-mail gave the reason"];
  return (await drawAsPages(watch, shown)).map((fault) => `e-mail sent: ${fault}`);
}

/** Checks the policy of every page: only our own scripts, and no exceptions. */
async function unprotectedPages(desk: PoisonedPayments, paths: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const path of paths) {
    const answer = await fetch(desk.url + path);
    faults.push(
      ...faultsOfPolicy(answer.headers.get("content-security-policy")).map((fault) => `${path}: ${fault}`),
    );
    const inline = (await answer.text()).match(/<script(?![^>]*\ssrc=)[^>]*>|\son\w+=/g) ?? [];
    faults.push(...inline.map((found) => `${path} holds ${found}`));
  }
  return faults;
}

function faultsOfPolicy(policy: string | null): string[] {
  const rules = new Map(
    (policy ?? "").split(";").map((rule) => {
      const [name = "", ...values] = rule.trim().split(/\s+/);
      return [name, values] as const;
    }),
  );
  const faults: string[] = [];
  const scripts = rules.get("script-src") ?? rules.get("default-src") ?? [];
  if (scripts.join(" ") !== "'self'") faults.push(`scripts may come from ${scripts.join(" ") || "anywhere"}`);
  // Scripts set style attributes for panels and rows; a style sheet still needs the page's nonce.
  for (const [name, values] of rules) {
    if (values.includes("'unsafe-eval'")) faults.push(`${name} allows eval`);
    if (values.includes("'unsafe-inline'") && name !== "style-src-attr") faults.push(`${name} allows inline`);
  }
  for (const name of ["base-uri", "frame-ancestors", "default-src"]) {
    if (rules.get(name)?.join(" ") !== "'none'")
      faults.push(`${name} is ${rules.get(name)?.join(" ") ?? "missing"}`);
  }
  return faults;
}

/** Plants forbidden pages in the same browser with the same watcher. */
async function plant(watch: Watch, desk: PoisonedPayments): Promise<{ count: number; missed: string[] }> {
  const { page } = watch;
  const drawRaw = async (payload: string) => {
    await page.goto("about:blank");
    await page.setContent(`<main></main>`);
    await page.evaluate((text) => {
      const main = document.querySelector("main");
      if (main) main.innerHTML = text;
    }, payload);
    await page.waitForTimeout(100);
    return (await watch.seen()).length > 0;
  };
  const underOurPolicy = async (payload: string) => {
    // A screen of ours that redirects a signed-in person nowhere.
    await page.goto(`${desk.url}/simulador`);
    await page.waitForLoadState("networkidle");
    await watch.seen();
    await page.evaluate((text) => {
      document.body.innerHTML = text;
    }, payload);
    await page.waitForTimeout(100);
    return (await watch.seen()).length > 0;
  };
  const found: Record<string, boolean> = {
    "a picture drawn raw": await drawRaw("<img src=x onerror=xss()>"),
    "a drawing drawn raw": await drawRaw("<svg onload=xss()>"),
    "a link drawn raw": await drawRaw("<a href=javascript:xss()>x</a>"),
    "a frame drawn raw": await drawRaw("<iframe srcdoc='<script>parent.xss()</script>'></iframe>"),
    "an address from outside": await drawRaw("<img src=http://127.0.0.1:1/xss.png>"),
    "markup that only the policy stopped": await underOurPolicy("<img src=x onerror=xss()>"),
    "an e-mail that trusts a name":
      (await drawAsPages(watch, ["<p><img src=x onerror=parent.xss()></p>"])).length > 0,
    "a policy with exceptions":
      faultsOfPolicy("default-src 'none'; script-src 'self' 'unsafe-inline'").length > 0,
    "no policy": faultsOfPolicy(null).length > 0,
    "a source that writes HTML": rawHtmlIn("return <p dangerouslySetInnerHTML={{ __html: x }} />").length > 0,
    "an element edited as HTML": rawHtmlInSource("<p contentEditable />").length > 0,
    "one more place beside the mask's own":
      strangersAmong([{ name: "a.js", text: `deleteSoftLineBackward${"e.innerHTML=t;".repeat(2)}` }]).length >
      0,
    "a built file that writes HTML": strangersAmong([{ name: "a.js", text: "e.innerHTML=t" }]).length > 0,
    "one more place beside React's own":
      strangersAmong([{ name: "a.js", text: `react.dev/errors/${"e.innerHTML=t;".repeat(3)}` }]).length > 0,
  };
  return {
    count: Object.keys(found).length,
    missed: Object.entries(found).flatMap(([name, caught]) => (caught ? [] : [name])),
  };
}
