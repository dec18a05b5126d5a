/** One link: its address and state at the top, and below it a tab for each aspect. */
import { ArrowLeft, Ellipsis, ExternalLink } from "lucide-react";
import { Suspense, useState } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import type { Tagged } from "../api/client";
import { useClicked } from "../links/clicked";
import { DeleteLink } from "../links/delete-link";
import { listPath } from "../links/filters";
import { useMayHaveLeads } from "../links/leads-left";
import { isMissing, type Link, type ServedLink, useLink } from "../links/queries";
import { Blockers } from "../links/states";
import { useSwitches } from "../links/switches";
import { useOrg } from "../shell/session";
import { Button, CopyButton, IconButton, LinkButton } from "../ui/button";
import { Failure, Skeleton, Tabs } from "../ui/data";
import { Row, Screen, Text } from "../ui/layout";
import { Menu } from "../ui/menu";
import { lazyPart } from "../ui/part";
import { decodedUrl, readableUrl } from "../ui/readable-url";
import { linkWords as words } from "./words";

const RouteTab = lazyPart(() => import("./route/tab"), "conditions", "route");
const Figures = lazyPart(() => import("../analytics/figures"), "analytics");
const PageTab = lazyPart(() => import("./page/tab"), "linkPage");
const LeadsTab = lazyPart(() => import("./leads/tab"), "leads");
const Settings = lazyPart(() => import("./settings"));
const QrCode = lazyPart(() => import("./qr-code"));
const History = lazyPart(() => import("./history"));

export default function LinkScreen({ linkId }: { linkId: string }) {
  const { data: link, error, refetch } = useLink(linkId);
  const { page } = useClicked(linkId);
  // Figures, clicks and findings name a bio page by the id of its link.
  if (page) return <Redirect to={`/pages/${linkId}`} replace />;
  if (error && !link) {
    return (
      <Screen title={words.links.missing} before={<Back />}>
        {isMissing(error) ? <p>{words.shell.gone}</p> : <Failure error={error} onRetry={() => void refetch()} />}
      </Screen>
    );
  }
  return link ? (
    <LinkTabs link={link} />
  ) : (
    <Screen title={words.screens.links} before={<Back />}>
      <Skeleton />
    </Screen>
  );
}

function LinkTabs({ link }: { link: Tagged<ServedLink> }) {
  const { _id: linkId } = link;
  const mayHaveLeads = useMayHaveLeads(link);
  const at = `/links/${linkId}`;
  return (
    <Screen title={readableUrl(link.shortUrl)} before={<Back />} actions={<Actions link={link} />}>
      <Row wrap gap={2}>
        <Text soft foreign>
          {link.title ?? decodedUrl(link.defaultUrl)}
        </Text>
        <Blockers link={link} />
      </Row>
      <Tabs
        label={words.link.tabs.label}
        tabs={[
          [at, words.link.tabs.route],
          [`${at}/figures`, words.link.tabs.figures],
          [`${at}/page`, words.link.tabs.page],
          ...(mayHaveLeads ? [[`${at}/leads`, words.link.tabs.leads] as const] : []),
          [`${at}/settings`, words.link.tabs.settings],
          [`${at}/qr`, words.link.tabs.qr],
          [`${at}/history`, words.link.tabs.history],
        ]}
      />
      <Suspense fallback={<Skeleton />}>
        <Switch>
          <Route path={at}>
            <RouteTab link={link} />
          </Route>
          <Route path={`${at}/figures`}>
            <Figures linkId={linkId} />
          </Route>
          <Route path={`${at}/page`}>
            <PageTab link={link} />
          </Route>
          <Route path={`${at}/leads`}>
            <LeadsTab link={link} />
          </Route>
          <Route path={`${at}/settings`}>
            <Settings link={link} />
          </Route>
          <Route path={`${at}/qr`}>
            <QrCode link={link} />
          </Route>
          <Route path={`${at}/history`}>
            <History link={link} />
          </Route>
          <Route>
            <Redirect to={at} replace />
          </Route>
        </Switch>
      </Suspense>
    </Screen>
  );
}

const Back = () => (
  <LinkButton to={listPath()} kind="quiet" small icon={ArrowLeft}>
    {words.screens.links}
  </LinkButton>
);

function Actions({ link }: { link: Link }) {
  const { may } = useOrg();
  const [, navigate] = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  const { links } = words;
  return (
    <>
      <CopyButton text={link.shortUrl} label={links.copyUrl} />
      <Button icon={ExternalLink} onClick={() => open(link.shortUrl, "_blank", "noopener")}>
        {links.visit}
      </Button>
      {may("member") ? <Switches link={link} onDelete={() => setDeleting(true)} /> : null}
      {isDeleting ? (
        <DeleteLink
          link={link}
          onClose={() => setDeleting(false)}
          onDone={() => navigate(listPath(), { replace: true })}
        />
      ) : null}
    </>
  );
}

function Switches({ link, onDelete }: { link: Link; onDelete(): void }) {
  const label = words.links.actions(link.slug);
  const groups = useSwitches(link, onDelete);
  return <Menu label={label} trigger={<IconButton icon={Ellipsis} label={label} />} groups={groups} />;
}
