/** Submits the same form as the page without scripts, so that the server also removes the cookie. */
export const signOut = (): void => formOf("_self").submit();

/** Signs out in a new tab, which then shows the sign-in page. */
export const signOutElsewhere = (): void => formOf("_blank").submit();

function formOf(target: "_self" | "_blank"): HTMLFormElement {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: "/app/sign-out", target, rel: "noopener" });
  document.body.append(form);
  return form;
}
