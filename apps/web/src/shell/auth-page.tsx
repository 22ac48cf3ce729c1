import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { decideArrival, tokenCookie } from "./arrival.ts";
import type { Feature } from "./feature.ts";
import { homePath } from "./guards.ts";
import { bases, batchAddress } from "./routes.ts";
import { storeToken } from "./session.ts";
import { leaveToLogin } from "./session-keeper.ts";

/** `/auth`: takes the token out of the address bar before anything else, keeps it and goes on. */
export function AuthPage() {
  const router = useRouter();
  const arrived = useRef(false);
  useEffect(() => {
    if (arrived.current) return;
    arrived.current = true;
    const query = new URLSearchParams(router.history.location.search);
    // A token in the address would stay in the history, in screenshots and in shared links.
    router.history.replace(bases.arrival);
    const { features } = router.options.context as { features: readonly Feature[] };
    const pages = features.flatMap((feature) => feature.pages);
    const arrival = decideArrival({
      query,
      cookieToken: tokenCookie(),
      homePathOf: homePath,
      securityPath: pages.find((page) => page.name === "MyAccountSecuritySettingsPage")?.path,
    });
    if (arrival.kind !== "arrived") {
      void leaveToLogin();
      return;
    }
    storeToken(arrival.token);
    const { modal } = arrival;
    // The base path redirects once more, which would lose the state: a batch is opened by its own address.
    const target = modal ? batchAddress(modal.id) : arrival.goTo;
    router.history.replace(target, modal ? { openBatch: modal.id } : {});
  }, [router]);
  return (
    <p role="status" className="sr-only">
      Entrando…
    </p>
  );
}
