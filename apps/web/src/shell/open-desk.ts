/** Replaces the opening page with the application, or reports there that it failed to load. */
export async function openDesk(load: () => Promise<unknown>): Promise<void> {
  await firstPaint();
  try {
    await load();
  } catch (error) {
    sayNothingArrived();
    throw error;
  }
}

/** Without React, which is part of what did not arrive. */
function sayNothingArrived(): void {
  const line = document.querySelector(".opening p");
  const again = document.createElement("a");
  again.href = location.href;
  again.textContent = "Recarregar a página";
  line?.setAttribute("role", "alert");
  line?.replaceChildren("Não foi possível abrir sua mesa de pagamentos. Verifique sua conexão. ", again);
}

/** A tab in the background paints nothing and still has to load. */
const longestWaitMs = 100;

/** Resolves once the page that the server sent is on screen, so that building the real one does not delay it. */
function firstPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, longestWaitMs);
  });
}
