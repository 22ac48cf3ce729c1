/** Puts the application in place of the opening page, which reports when it fails to load. */
export async function openDesk(load: () => Promise<unknown>): Promise<void> {
  await firstPaint();
  try {
    await load();
  } catch (error) {
    sayNothingArrived();
    throw error;
  }
}

/** Without React: that is part of what did not arrive. */
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

/** Resolves once the page that the server sent is on screen, so that building the real one does not hold it back. */
function firstPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, longestWaitMs);
  });
}
