import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import { brandQuery } from "../shell/brand.ts";
import { createQueryClient } from "../shell/query-client.ts";
import { createAppRouter } from "../shell/router.tsx";
import { readSession, subscribeToSession } from "../shell/session.ts";
import { keepSession, leaveToLogin, setLoginUrl } from "../shell/session-keeper.ts";
import { hasUnsavedWork } from "../shell/unsaved-work.ts";
import { MaloteTheme } from "../ui/theme.tsx";
import { features } from "./features.ts";

/** Another person or application: nothing of the one before may stay on screen or in memory (SES-078). */
function forgetDataOfOthers(queryClient: QueryClient): void {
  let owner = ownerOf();
  subscribeToSession(() => {
    const next = ownerOf();
    if (next === owner) return;
    const leftElsewhere = owner !== "" && next === "";
    owner = next;
    // Something still typed here waits: the next refused call asks to sign in again over it.
    if (leftElsewhere && !hasUnsavedWork()) void leaveToLogin();
    if (!leftElsewhere) queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== "brand" });
  });
}

function ownerOf(): string {
  const session = readSession();
  return session ? `${session.sub} ${session.company.id} ${session.application.id}` : "";
}

const queryClient = createQueryClient();
void queryClient.fetchQuery(brandQuery).then(
  (brand) => setLoginUrl(brand.loginUrl),
  // The login site of this origin stands in until the brand is known.
  () => undefined,
);
forgetDataOfOthers(queryClient);
keepSession();

const root = document.getElementById("root");
if (!root) throw new Error("the page has no root element");

createRoot(root).render(
  <QueryClientProvider client={queryClient}>
    <MaloteTheme>
      <RouterProvider router={createAppRouter(features)} />
    </MaloteTheme>
  </QueryClientProvider>,
);
