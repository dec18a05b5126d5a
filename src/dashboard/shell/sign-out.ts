/** As the page without script does it, so that the cookie goes too. */
export function signOut(): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = "/app/sign-out";
  document.body.append(form);
  form.submit();
}
