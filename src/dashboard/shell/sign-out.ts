/** Submits the same form as the page without scripts, so that the server also removes the cookie. */
export function signOut(): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = "/app/sign-out";
  document.body.append(form);
  form.submit();
}
