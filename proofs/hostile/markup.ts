/** Executable markup, generated: every entry point × every element that executes × every disguise. */

/** The payload: `xss()` notifies the browser's watcher which page executed it. */
const vectors = [
  "<script>xss()</script>",
  "<script src=//127.0.0.1:1/xss.js></script>",
  "<img src=x onerror=xss()>",
  "<img src=//127.0.0.1:1/xss.png>",
  "<svg onload=xss()>",
  "<svg><animate onbegin=xss() attributeName=x dur=1s>",
  "<svg><script>xss()</script></svg>",
  "<body onload=xss()>",
  "<video src=x onerror=xss()></video>",
  "<audio src=x onerror=xss()></audio>",
  "<video><source onerror=xss()></video>",
  "<iframe src=javascript:parent.xss()></iframe>",
  "<iframe srcdoc='<script>parent.xss()</script>'></iframe>",
  "<details open ontoggle=xss()>x</details>",
  "<input autofocus onfocus=xss()>",
  "<select autofocus onfocus=xss()></select>",
  "<textarea autofocus onfocus=xss()></textarea>",
  "<button autofocus onfocus=xss() popovertarget=x>x</button>",
  "<a href=javascript:xss() autofocus onfocus=xss()>x</a>",
  "<a href=data:text/html,<script>xss()</script>>x</a>",
  "<form action=javascript:xss()><button autofocus onfocus=xss()>x</button></form>",
  "<marquee onstart=xss()>x</marquee>",
  "<object data=javascript:xss()></object>",
  "<embed src=javascript:xss()>",
  "<meta http-equiv=refresh content='0;url=javascript:xss()'>",
  "<base href=//127.0.0.1:1/>",
  "<link rel=stylesheet href=//127.0.0.1:1/xss.css>",
  "<style>@import '//127.0.0.1:1/xss.css';</style>",
  "<div style='animation-name:x' onanimationstart=xss()>x</div>",
  "<math><mtext><img src=x onerror=xss()></mtext></math>",
  "<template><img src=x onerror=xss()></template>",
  "<b onpointerenter=xss() onclick=xss()>x</b>",
  "<b><img src=x onerror=xss()></b>",
  "<xss-x onfocus=xss() tabindex=1 autofocus>x</xss-x>",
] as const;

const openings = [
  "",
  '">',
  "'>",
  "</textarea>",
  "</title></script>",
  "</style>",
  "-->",
  "]]>",
  "<b>",
  "{{",
  "${",
  "`",
];

const disguises: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) =>
    text
      .replace(/[a-z]/g, (character, at) => (at % 2 ? character.toUpperCase() : character))
      .replace(/XSS|xSs|Xss|XsS|xsS|xSS/g, "xss"),
  (text) => text.replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  (text) =>
    [...text]
      .map((sign) => `&#${sign.codePointAt(0)};`)
      .join("")
      .slice(0, 250),
  (text) => text.replaceAll(" ", "/"),
  (text) => text.replaceAll("<", "\\u003c"),
];

export const hostileMarkup: readonly string[] = [
  ...new Set(
    openings.flatMap((opening) =>
      vectors.flatMap((vector) => disguises.map((disguise) => opening + disguise(vector))),
    ),
  ),
];
