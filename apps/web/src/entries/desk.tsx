import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { startTransition } from "react";
import { createRoot, type Root } from "react-dom/client";
import { brandQuery } from "../shell/brand.ts";
import { forgetDataOfOthers } from "../shell/forget-data-of-others.ts";
import { readInstitution } from "../shell/institution.ts";
import { leaveToLoginOfBrand } from "../shell/login-site.ts";
import { createQueryClient } from "../shell/query-client.ts";
import { createAppRouter } from "../shell/router.tsx";
import { keepSession } from "../shell/session-keeper.ts";
import { MaloteTheme } from "../ui/theme.tsx";
import { features } from "./features.ts";

readInstitution();
const queryClient = createQueryClient();
void queryClient.prefetchQuery(brandQuery);
leaveToLoginOfBrand(queryClient);
forgetDataOfOthers(queryClient);
keepSession();

const root = document.getElementById("root");
if (!root) throw new Error("the page has no root element");

const router = createAppRouter(features, queryClient);

/** Keeps the page as the server sent it until its replacement is ready, and then draws that in small steps. */
async function open(container: HTMLElement): Promise<Root> {
  await router.load();
  const desk = createRoot(container);
  startTransition(() =>
    desk.render(
      <QueryClientProvider client={queryClient}>
        <MaloteTheme>
          <RouterProvider router={router} />
        </MaloteTheme>
      </QueryClientProvider>,
    ),
  );
  return desk;
}
export const opened = open(root);
