import { QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { CheckoutPage } from "../checkout/checkout-page.tsx";
import { createQueryClient } from "../shell/query-client.ts";
import { MaloteTheme } from "../ui/theme.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("the page has no root element");

const [, , token = ""] = location.pathname.split("/");

createRoot(root).render(
  <QueryClientProvider client={createQueryClient()}>
    <MaloteTheme>
      <CheckoutPage token={token} />
    </MaloteTheme>
  </QueryClientProvider>,
);
