import { Outlet, useLocation } from "@tanstack/react-router";
import { Suspense, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Banners } from "../ui/notice.tsx";
import { loadFollowAnchor } from "../ui/popover.tsx";
import type { Feature } from "./feature.ts";
import styles from "./frame.module.css";
import { useShortcuts } from "./keyboard.ts";
import { lazyPart } from "./lazy-part.ts";
import { usePreloads } from "./preloads.ts";
import { identityQuestion } from "./question-store.ts";
import { useSession } from "./session.ts";
import { sessionEnding } from "./session-keeper.ts";
import { Drawer, Sidebar } from "./sidebar.tsx";
import { signInAgainStore } from "./sign-in-again-store.ts";
import { TopBar } from "./top-bar.tsx";

const SignInAgainDialog = lazyPart(() => import("./sign-in-again-dialog.tsx"));
const ConfirmIdentityDialog = lazyPart(() => import("./confirm-identity-dialog.tsx"));
const SessionEndingDialog = lazyPart(() => import("./session-ending-dialog.tsx"));
const Palette = lazyPart(() => import("./palette.tsx"));
const HelpSheet = lazyPart(() => import("./help-sheet.tsx"));

const collapsedKey = "malote.sidebar";

/** Frame around every page: side menu, top bar, and the dialogs that can appear anywhere. */
export function Frame({ features }: { features: readonly Feature[] }) {
  const session = useSession();
  const pathname = useLocation({ select: (location) => location.pathname });
  const [layer, setLayer] = useState<"palette" | "help" | undefined>();
  const [collapsed, setCollapsed] = useState(() => localStorage.getItem(collapsedKey) === "collapsed");
  const [drawerOpen, setDrawerOpen] = useState(false);
  const signInAsked = useSyncExternalStore(signInAgainStore.subscribe, signInAgainStore.isAsked);
  const identityAsked = useSyncExternalStore(identityQuestion.subscribe, identityQuestion.isAsked);
  const endsAt = useSyncExternalStore(sessionEnding.subscribe, sessionEnding.endsAt);
  const main = useRef<HTMLElement>(null);
  const firstPath = useRef(pathname);

  const closeDrawer = useCallback(() => setDrawerOpen(false), []);
  const onPalette = useCallback(() => setLayer("palette"), []);
  const onHelp = useCallback(() => setLayer("help"), []);
  useShortcuts({ onPalette, onHelp });
  usePreloads(features, session);
  // On failure the first panel that opens loads it again.
  useEffect(() => void loadFollowAnchor().catch(() => undefined), []);

  // A new page moves the focus to its title, for people who cannot see that the page changed.
  useEffect(() => {
    setDrawerOpen(false);
    if (firstPath.current === pathname) return;
    firstPath.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);

  function toggleCollapsed() {
    localStorage.setItem(collapsedKey, collapsed ? "open" : "collapsed");
    setCollapsed(!collapsed);
  }
  if (!session) return null;
  return (
    <div className={styles.frame} data-collapsed={collapsed || undefined}>
      <a href="#conteudo" className={styles.skip}>
        Pular para o conteúdo
      </a>
      <Sidebar features={features} session={session} collapsed={collapsed} onToggle={toggleCollapsed} />
      {drawerOpen ? <Drawer features={features} session={session} onClose={closeDrawer} /> : null}
      <div className={styles.desk}>
        {features.map(({ top: Top }, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the features are the same for as long as the page lives
          Top ? <Top key={index} /> : null,
        )}
        <TopBar
          features={features}
          session={session}
          onMenu={() => setDrawerOpen(true)}
          onPalette={onPalette}
          onHelp={onHelp}
        />
        <main id="conteudo" ref={main} tabIndex={-1} className={styles.main}>
          <Banners>
            {features.map(({ banner: Banner }, index) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: the features are the same for as long as the page lives
              Banner ? <Banner key={index} /> : null,
            )}
          </Banners>
          <Outlet />
        </main>
      </div>
      {features.map(({ layer: Layer }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the features are the same for as long as the page lives
        Layer ? <Layer key={index} /> : null,
      )}
      <Suspense>
        {layer === "palette" ? (
          <Palette features={features} session={session} onClose={() => setLayer(undefined)} />
        ) : null}
        {layer === "help" ? <HelpSheet onClose={() => setLayer(undefined)} /> : null}
        {signInAsked ? <SignInAgainDialog /> : null}
        {identityAsked && !signInAsked ? <ConfirmIdentityDialog /> : null}
        {endsAt !== undefined && !signInAsked ? <SessionEndingDialog /> : null}
      </Suspense>
    </div>
  );
}
