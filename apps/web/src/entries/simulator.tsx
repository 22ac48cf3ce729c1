import { QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "../shell/query-client.ts";
import { SimulatorPage } from "../simulator/simulator-page.tsx";
import { loadFollowAnchor } from "../ui/popover.tsx";
import { MaloteTheme } from "../ui/theme.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("the page has no root element");

// On failure the first panel that opens loads it again.
void loadFollowAnchor().catch(() => undefined);

createRoot(root).render(
  <QueryClientProvider client={createQueryClient()}>
    <MaloteTheme>
      <SimulatorPage />
    </MaloteTheme>
  </QueryClientProvider>,
);
