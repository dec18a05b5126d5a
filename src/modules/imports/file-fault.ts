/** What is wrong with a file, or with a list of links, as a whole; its sentence is shown. */
export class FileFault extends Error {
  override name = "FileFault";
}
