import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouterHistory,
  redirect,
} from "@tanstack/react-router";
import { AppErrorPage } from "./app-error-page.tsx";
import { AuthPage } from "./auth-page.tsx";
import type { Feature, Page } from "./feature.ts";
import { ForbiddenPage } from "./forbidden-page.tsx";
import { Frame } from "./frame.tsx";
import { decideEntry, forbiddenPath, type GuardedPage, homePath, logoutPath } from "./guards.ts";
import { oldAddresses } from "./redirects.ts";
import { bases, doorOf, guardedPath, guardedRoute, pathOf, routeNames } from "./routes.ts";
import { hasApplication, readSession } from "./session.ts";
import { exchangeToken, leaveToLogin, logOut } from "./session-keeper.ts";

/** SES-077: a part of the application that does not arrive is given up, and the error page offers to try again. */
export const lazyLoadMaxMs = 120_000;

export function withinTime<T>(work: Promise<T>, ms: number = lazyLoadMaxMs): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("part of the application did not arrive")), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Search values stay plain text in the address bar; each page reads its own (see use-page-search.ts). */
function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(
    ([, value]) => value !== undefined && value !== null && value !== "",
  );
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

async function guard(page: GuardedPage, pages: readonly Page[]): Promise<void> {
  const securityPath = pages.find((other) => other.name === "MyAccountSecuritySettingsPage")?.path;
  const decision = await decideEntry(page, { session: readSession(), now: Date.now(), securityPath });
  if (decision.kind === "open") return;
  if (decision.kind === "redirect") throw redirect({ href: decision.to, replace: true });
  if (decision.kind === "switch_application") {
    await exchangeToken(decision.to).catch(leaveToLogin);
    return guard(page, pages);
  }
  await leaveToLogin();
  // The document is on its way out; nothing of the page may be drawn or asked for meanwhile.
  await new Promise(() => undefined);
}

/** Where "home" leads today: the application's base path, or the first page there is for this person. */
function homeOf(pages: readonly Page[]): string {
  const session = readSession();
  const home = homePath(session);
  if (home !== bases.payments && pages.some(({ path }) => path.startsWith(home))) return home;
  const mayPay = !session || hasApplication(session, "payments");
  return mayPay && pages.some(({ name }) => name === "BatchesPage") ? bases.payments : forbiddenPath;
}

/** Builds the route tree from what the features bring. */
export function createAppRouter(features: readonly Feature[], history?: RouterHistory) {
  const pages = features.flatMap((feature) => feature.pages);

  const root = createRootRoute({ component: Outlet, errorComponent: AppErrorPage });
  const frame = createRoute({
    getParentRoute: () => root,
    id: "frame",
    component: () => <Frame features={features} />,
  });

  const framed = pages.map((page) =>
    createRoute({
      getParentRoute: () => frame,
      path: page.path,
      beforeLoad: () => guard(page, pages),
      component: lazyRouteComponent(() => withinTime(page.load())),
      errorComponent: AppErrorPage,
      head: () => ({ meta: [{ title: page.title }] }),
    }),
  );
  const goingTo = (path: string, to: (path: string) => string | Promise<string>) =>
    createRoute({
      getParentRoute: () => root,
      path,
      beforeLoad: async ({ location }) => {
        // What the way here was told goes along to where it leads.
        throw redirect({ href: await to(location.pathname), replace: true, state: location.state });
      },
    });
  const unbuilt = routeNames
    .filter((name) => !pages.some((page) => page.path === pathOf(name)))
    .map((name) =>
      goingTo(pathOf(name), async () => {
        await guard(guardedRoute(name), pages);
        const next = doorOf(name, readSession());
        return next ? pathOf(next) : homeOf(pages);
      }),
    );
  const oldOnes = Object.entries(oldAddresses).map(([path, name]) => goingTo(path, () => pathOf(name)));

  const auth = createRoute({ getParentRoute: () => root, path: bases.arrival, component: AuthPage });
  const logout = createRoute({
    getParentRoute: () => root,
    path: logoutPath,
    component: () => null,
    beforeLoad: async () => {
      await logOut();
      await new Promise(() => undefined);
    },
  });
  const forbidden = createRoute({
    getParentRoute: () => frame,
    path: forbiddenPath,
    component: ForbiddenPage,
  });

  const tree = root.addChildren([
    frame.addChildren([...framed, forbidden]),
    ...unbuilt,
    ...oldOnes,
    auth,
    logout,
    goingTo("/", () => homeOf(pages)),
    goingTo("$", async (path) => {
      await guard(guardedPath(path), pages);
      return homeOf(pages);
    }),
  ]);
  return createRouter({
    routeTree: tree,
    ...(history && { history }),
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    // Data belongs to the query cache; the router only has to bring the code.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultPendingMs: 200,
    context: { features },
  });
}
