/** Imports links of another service from a file or through the service's API. */
import { useSearchParams } from "wouter";
import { Segments } from "../ui/charts/segments";
import { optionsOf } from "../ui/choice";
import { Card, Stack } from "../ui/layout";
import { ApiForm } from "./api-form";
import { UploadForm } from "./upload-form";
import { importsWords as words } from "./words";

export function ImportForm() {
  const { imports } = words;
  const [params, setParams] = useSearchParams();
  const way = params.get("by") === "api" ? "api" : "file";
  return (
    <Card title={imports.title}>
      <Stack>
        <Segments
          label={imports.way}
          value={way}
          options={optionsOf(imports.ways)}
          onChange={(next) => setParams(next === "api" ? { by: "api" } : {}, { replace: true })}
        />
        {way === "api" ? <ApiForm /> : <UploadForm />}
      </Stack>
    </Card>
  );
}
