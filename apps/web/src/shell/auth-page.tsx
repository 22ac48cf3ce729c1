import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { decideArrival, tokenCookie } from "./arrival.ts";
import { brandOfPage, brandQuery } from "./brand.ts";
import { homePath } from "./guards.ts";
import { bases } from "./routes.ts";
import { storeToken } from "./session.ts";
import { logOut } from "./session-keeper.ts";

/** `/auth`: removes the token from the address bar before anything else, stores it and goes on. */
export function AuthPage() {
  const router = useRouter();
  const queryClient = useQueryClient();
  const arrived = useRef(false);
  useEffect(() => {
    if (arrived.current) return;
    arrived.current = true;
    const query = new URLSearchParams(router.history.location.search);
    // A token in the address would stay in the history, in screenshots and in shared links.
    router.history.replace(bases.arrival);
    const { features } = router.options.context;
    const pages = features.flatMap((feature) => feature.pages);
    void (async () => {
      // Only an arrival without a token in the address waits for the cookie's name.
      const cookieToken = query.get("token") ? undefined : await readCookie();
      const arrival = decideArrival({
        query,
        cookieToken,
        homePathOf: homePath,
        securityPath: pages.find((page) => page.name === "MyAccountSecuritySettingsPage")?.path,
      });
      // SES-028, SES-030: ends an earlier session on the server too, or its token would stay valid.
      if (arrival.kind !== "arrived") return logOut();
      storeToken(arrival.token);
      router.history.replace(arrival.goTo);
    })();
    async function readCookie() {
      const { tokenCookie: name } = await queryClient.ensureQueryData(brandQuery).catch(() => brandOfPage());
      return tokenCookie(name);
    }
  }, [router, queryClient]);
  return (
    <p role="status" className="sr-only">
      Entrando…
    </p>
  );
}
