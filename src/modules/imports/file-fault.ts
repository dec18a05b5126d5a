/** A fault of a whole file or list of links. Its message is shown to the customer. */
export class FileFault extends Error {
  override name = "FileFault";
}
