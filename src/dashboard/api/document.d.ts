// Made of the OpenAPI document by `bun run dashboard:types`. Do not edit.

export interface paths {
    "/api/v1/auth/2fa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTwoFactor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/2fa/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["disableTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/2fa/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["enableTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/2fa/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["setUpTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login/2fa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["loginTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/password/forgot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sso/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["finishSso"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sso/exchange": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["exchangeSsoCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sso/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["startSso"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/verify-email/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resendEmailVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createCustomEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createLinkWithApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links/{linkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLinkWithApiKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links/{linkId}/qrcode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLinkQrCodeWithApiKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/match": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["claimMatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/match/install-attribution": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["claimInstallAttribution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateOrganization"];
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/access-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAccessTokens"];
        put?: never;
        post: operations["createAccessToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/access-tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeAccessToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/ai/marketing-assistant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["askMarketingAssistant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/abuse-queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAbuseQueue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/abuse-queue/{clickId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["reviewAbuse"];
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/abuse-queue/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["reviewAbuseInBulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/abuse-queue/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAbuseGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/anomalies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTrafficAnomalies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/best-destination": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBestDestination"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/breakdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsBreakdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/broken-campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBrokenCampaigns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/clicks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listClicks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/clicks/{clickId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getClick"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/clicks/export.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportClicks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/conversion-prediction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConversionPrediction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/export.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/insights": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCampaignInsights"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/overview/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["streamAnalyticsOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listReports"];
        put?: never;
        post: operations["createReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/reports/{reportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteReport"];
        options?: never;
        head?: never;
        patch: operations["updateReport"];
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/reports/{reportId}/export.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/top-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTopLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/trends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLinkTrends"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/analytics/unserved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUnservedVisits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApiKeys"];
        put?: never;
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/api-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApps"];
        put?: never;
        post: operations["createApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/apps/{appId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getApp"];
        put?: never;
        post?: never;
        delete: operations["deleteApp"];
        options?: never;
        head?: never;
        patch: operations["updateApp"];
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/bio-pages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBioPages"];
        put?: never;
        post: operations["createBioPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/bio-pages/{bioPageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBioPage"];
        put?: never;
        post?: never;
        delete: operations["deleteBioPage"];
        options?: never;
        head?: never;
        patch: operations["updateBioPage"];
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDomains"];
        put?: never;
        post: operations["createDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/domains/{domainId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDomain"];
        put?: never;
        post?: never;
        delete: operations["deleteDomain"];
        options?: never;
        head?: never;
        patch: operations["updateDomain"];
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/domains/{domainId}/app-config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateDomainAppConfig"];
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/domains/{domainId}/configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDomainConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/domains/{domainId}/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateDomainDashboard"];
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/domains/{domainId}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listExports"];
        put?: never;
        post: operations["createExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/exports/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getExport"];
        put?: never;
        post?: never;
        delete: operations["deleteExport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/exports/{exportId}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["downloadExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listImports"];
        put?: never;
        post: operations["createImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/imports/{importId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/imports/{importId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/imports/{importId}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listImportRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/imports/{importId}/ledger.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportImportRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/imports/{importId}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rollBackImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/imports/{importId}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLinks"];
        put?: never;
        post: operations["createLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/links/{linkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLink"];
        put?: never;
        post?: never;
        delete: operations["deleteLink"];
        options?: never;
        head?: never;
        patch: operations["updateLink"];
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/links/{linkId}/leads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLeads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/links/{linkId}/leads/{leadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteLead"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/links/{linkId}/leads/export.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportLeads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/links/{linkId}/preview/traffic": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewLinkTraffic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/links/{linkId}/qrcode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLinkQrCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/links/{linkId}/qrcode/style": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["proposeQrCodeStyle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/links/{linkId}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLinkRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/links/{linkId}/safety/rescan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rescanLinkSafety"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/links/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateLinks"];
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/links/bulk-delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["deleteLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/links/by-external-id/{externalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["putLinkByExternalId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/links/export.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportLinksAsCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/links/export.jsonl": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportLinksAsJsonLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/links/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/links/utm/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["generateUtm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/members/{membershipId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        patch: operations["updateMember"];
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/members/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/privacy/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["eraseVisitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/sso": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSso"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateSso"];
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhooks"];
        put?: never;
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{orgId}/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/app-icons/apps/{appId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAppIcon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/app-icons/domains/{domainId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDomainIcon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/app-icons/organizations/{orgId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOrganizationIcon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/public/dashboard-branding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDashboardBranding"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["resolveLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/tls/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["askTls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AbuseBulkInput: {
            addressId?: string;
            /** @enum {string} */
            current?: "pending" | "confirmed" | "dismissed" | "all";
            /** Format: date-time */
            from?: string;
            linkId?: string;
            note?: string | null;
            /** @enum {string} */
            status: "pending" | "confirmed" | "dismissed";
            /** Format: date-time */
            to?: string;
        };
        AbuseBulkOutcome: {
            changed: number;
            remaining: number;
        };
        AbuseGroup: {
            addresses: number;
            addressId: string | null;
            clicks: number;
            /** Format: date-time */
            firstAt: string;
            /** Format: date-time */
            lastAt: string;
            link: {
                _id: string;
                isDeleted: boolean;
                shortUrl: string;
                title?: string;
            } | null;
            links: number;
            reasons: string[];
            score: number;
            visitors: number;
        };
        AbuseGroupPage: {
            groups: components["schemas"]["AbuseGroup"][];
            limit: number;
            page: number;
            total: number;
            totalIsEstimate?: boolean;
            totalPages: number;
        };
        AbuseItem: {
            addressId: string | null;
            clickId: string;
            link: {
                _id: string;
                isDeleted: boolean;
                shortUrl: string;
                title?: string;
            };
            note: string | null;
            /** Format: date-time */
            occurredAt: string;
            reasons: string[];
            /** Format: date-time */
            reviewedAt: string | null;
            reviewedBy: string | null;
            score: number;
            /** @enum {string} */
            status: "pending" | "confirmed" | "dismissed";
            visitor: {
                _id: string;
                browser?: string;
                city?: string;
                country?: string;
                device?: string;
                language?: string;
                os?: string;
                platform: string;
                referrer?: string;
            };
        };
        AbuseItemPage: {
            items: components["schemas"]["AbuseItem"][];
            limit: number;
            page: number;
            total: number;
            totalIsEstimate?: boolean;
            totalPages: number;
        };
        AbuseReviewInput: {
            note?: string | null;
            /** @enum {string} */
            status: "pending" | "confirmed" | "dismissed";
        };
        AccessToken: {
            _id: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            lastUsedAt?: string;
            membershipId: string;
            name: string;
            prefix: string;
            /** Format: date-time */
            revokedAt?: string;
            scopes: ("read" | "links" | "analytics" | "manage")[];
            userId: string;
        };
        AccessTokenCreated: {
            _id: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            lastUsedAt?: string;
            membershipId: string;
            name: string;
            prefix: string;
            /** Format: date-time */
            revokedAt?: string;
            scopes: ("read" | "links" | "analytics" | "manage")[];
            token: string;
            userId: string;
        };
        AccessTokenInput: {
            /** Format: date-time */
            expiresAt?: string;
            name: string;
            scopes: ("read" | "links" | "analytics" | "manage")[];
        };
        AccessTokenPage: {
            accessTokens: components["schemas"]["AccessToken"][];
            limit: number;
            page: number;
            total: number;
            totalIsEstimate?: boolean;
            totalPages: number;
        };
        AnalyticsBreakdown: {
            /** @enum {string} */
            by: "country" | "region" | "city" | "device" | "browser" | "os" | "referrer" | "language" | "utmSource" | "utmMedium" | "utmCampaign" | "utmTerm" | "utmContent" | "rule" | "split" | "destination" | "domain" | "tag" | "hourOfWeek";
            range: components["schemas"]["AnalyticsRange"];
            rows: {
                count: number;
                isOther?: boolean;
                label?: string;
                value: string;
            }[];
            totalClicks: number;
        };
        AnalyticsOverview: {
            byBrowser?: {
                browser: string;
                count: number;
                isOther?: boolean;
            }[];
            byCity?: {
                city: string;
                count: number;
                isOther?: boolean;
            }[];
            byCountry?: {
                count: number;
                country: string;
                isOther?: boolean;
            }[];
            byDestination?: {
                count: number;
                destination: string;
                isOther?: boolean;
            }[];
            byDevice?: {
                count: number;
                device: string;
                isOther?: boolean;
            }[];
            byDomain?: {
                count: number;
                domain: string;
                isOther?: boolean;
            }[];
            byEvent?: {
                count: number;
                name: string;
                value: number;
            }[];
            byHourOfWeek?: {
                count: number;
                hourOfWeek: number;
            }[];
            byLanguage?: {
                count: number;
                isOther?: boolean;
                language: string;
            }[];
            byOpenPlatform?: {
                count: number;
                /** @enum {string} */
                platform: "ios" | "android" | "desktop" | "other";
            }[];
            byOpenSource?: {
                count: number;
                /** @enum {string} */
                source: "direct" | "deferred";
            }[];
            byOs?: {
                count: number;
                isOther?: boolean;
                os: string;
            }[];
            byReferrer?: {
                count: number;
                isOther?: boolean;
                referrer: string;
            }[];
            byRegion?: {
                count: number;
                isOther?: boolean;
                region: string;
            }[];
            byRule?: {
                count: number;
                isOther?: boolean;
                rule: string;
            }[];
            bySplit?: {
                count: number;
                isOther?: boolean;
                label?: string;
                split: string;
            }[];
            byTag?: {
                count: number;
                tag: string;
            }[];
            byUtmCampaign?: {
                count: number;
                isOther?: boolean;
                utmCampaign: string;
            }[];
            byUtmContent?: {
                count: number;
                isOther?: boolean;
                utmContent: string;
            }[];
            byUtmMedium?: {
                count: number;
                isOther?: boolean;
                utmMedium: string;
            }[];
            byUtmSource?: {
                count: number;
                isOther?: boolean;
                utmSource: string;
            }[];
            byUtmTerm?: {
                count: number;
                isOther?: boolean;
                utmTerm: string;
            }[];
            clicksBefore?: {
                byDay?: {
                    count: number;
                    /** Format: date */
                    date: string;
                }[];
                count: number;
                inRange?: number;
                links: number;
                /** @constant */
                writer: "imported";
            };
            conversionFunnel?: {
                count: number;
                rate: number;
                /** @enum {string} */
                stage: "clicks" | "opens" | "installs" | "leads" | "events";
            }[];
            eventValue?: number;
            installs?: number;
            matchedInstalls?: number;
            notKnown?: string[];
            opens?: number;
            previous?: {
                byBrowser?: {
                    browser: string;
                    count: number;
                    isOther?: boolean;
                }[];
                byCity?: {
                    city: string;
                    count: number;
                    isOther?: boolean;
                }[];
                byCountry?: {
                    count: number;
                    country: string;
                    isOther?: boolean;
                }[];
                byDestination?: {
                    count: number;
                    destination: string;
                    isOther?: boolean;
                }[];
                byDevice?: {
                    count: number;
                    device: string;
                    isOther?: boolean;
                }[];
                byDomain?: {
                    count: number;
                    domain: string;
                    isOther?: boolean;
                }[];
                byEvent?: {
                    count: number;
                    name: string;
                    value: number;
                }[];
                byHourOfWeek?: {
                    count: number;
                    hourOfWeek: number;
                }[];
                byLanguage?: {
                    count: number;
                    isOther?: boolean;
                    language: string;
                }[];
                byOpenPlatform?: {
                    count: number;
                    /** @enum {string} */
                    platform: "ios" | "android" | "desktop" | "other";
                }[];
                byOpenSource?: {
                    count: number;
                    /** @enum {string} */
                    source: "direct" | "deferred";
                }[];
                byOs?: {
                    count: number;
                    isOther?: boolean;
                    os: string;
                }[];
                byReferrer?: {
                    count: number;
                    isOther?: boolean;
                    referrer: string;
                }[];
                byRegion?: {
                    count: number;
                    isOther?: boolean;
                    region: string;
                }[];
                byRule?: {
                    count: number;
                    isOther?: boolean;
                    rule: string;
                }[];
                bySplit?: {
                    count: number;
                    isOther?: boolean;
                    label?: string;
                    split: string;
                }[];
                byTag?: {
                    count: number;
                    tag: string;
                }[];
                byUtmCampaign?: {
                    count: number;
                    isOther?: boolean;
                    utmCampaign: string;
                }[];
                byUtmContent?: {
                    count: number;
                    isOther?: boolean;
                    utmContent: string;
                }[];
                byUtmMedium?: {
                    count: number;
                    isOther?: boolean;
                    utmMedium: string;
                }[];
                byUtmSource?: {
                    count: number;
                    isOther?: boolean;
                    utmSource: string;
                }[];
                byUtmTerm?: {
                    count: number;
                    isOther?: boolean;
                    utmTerm: string;
                }[];
                conversionFunnel?: {
                    count: number;
                    rate: number;
                    /** @enum {string} */
                    stage: "clicks" | "opens" | "installs" | "leads" | "events";
                }[];
                eventValue?: number;
                installs?: number;
                matchedInstalls?: number;
                notKnown?: string[];
                opens?: number;
                range: components["schemas"]["AnalyticsRange"];
                timeseries: {
                    /** Format: date-time */
                    at: string;
                    clicks: number;
                    events?: number;
                    installs?: number;
                    leads?: number;
                    opens?: number;
                    uniqueVisitors?: number;
                }[];
                totalClicks: number;
                uniqueVisitors?: number;
            };
            range: components["schemas"]["AnalyticsRange"];
            timeseries: {
                /** Format: date-time */
                at: string;
                clicks: number;
                events?: number;
                installs?: number;
                leads?: number;
                opens?: number;
                uniqueVisitors?: number;
            }[];
            totalClicks: number;
            uniqueVisitors?: number;
        };
        AnalyticsRange: {
            /** Format: date-time */
            from: string;
            /** @enum {string} */
            granularity: "hour" | "day";
            /** Format: date-time */
            to: string;
        };
        AndroidApp: {
            packageName?: string;
            scheme?: string;
            sha256CertFingerprints?: string[];
        };
        ApiImportInput: {
            credentials: components["schemas"]["ImportCredentials"];
            options: components["schemas"]["ImportOptionsInput"];
        };
        ApiKey: {
            _id: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt?: string;
            /** Format: date-time */
            lastUsedAt?: string;
            name: string;
            prefix: string;
            /** Format: date-time */
            revokedAt?: string;
            scopes: ("links:read" | "links:write" | "qr:read" | "events:write")[];
        };
        ApiKeyCreated: {
            _id: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt?: string;
            key: string;
            /** Format: date-time */
            lastUsedAt?: string;
            name: string;
            prefix: string;
            /** Format: date-time */
            revokedAt?: string;
            scopes: ("links:read" | "links:write" | "qr:read" | "events:write")[];
        };
        ApiKeyInput: {
            /** Format: date-time */
            expiresAt?: string | null;
            name: string;
            scopes: ("links:read" | "links:write" | "qr:read" | "events:write")[];
        };
        ApiKeyPage: {
            apiKeys: components["schemas"]["ApiKey"][];
            limit: number;
            page: number;
            total: number;
            totalIsEstimate?: boolean;
            totalPages: number;
        };
        AppConfig: {
            android?: components["schemas"]["AndroidApp"];
            /** @enum {string} */
            fallback?: "store" | "web";
            iconUrl?: string;
            ios?: components["schemas"]["IosApp"];
            name?: string;
            subtitle?: string;
        };
        AppConfigInput: {
            android?: components["schemas"]["AndroidApp"] | null;
            fallback?: ("store" | "web") | null;
            iconUrl?: string | null;
            ios?: components["schemas"]["IosApp"] | null;
            name?: string | null;
            subtitle?: string | null;
        };
        AppProfile: {
            _id: string;
            android?: components["schemas"]["AndroidApp"];
            /** Format: date-time */
            createdAt: string;
            /** @enum {string} */
            fallback: "store" | "web";
            iconUrl?: string;
            ios?: components["schemas"]["IosApp"];
            name: string;
            pathPrefix?: string;
            subtitle?: string;
            /** Format: date-time */
            updatedAt: string;
        };
        AppProfileInput: {
            android?: components["schemas"]["AndroidApp"] | null;
            fallback?: ("store" | "web") | null;
            iconUrl?: string | null;
            ios?: components["schemas"]["IosApp"] | null;
            name: string;
            pathPrefix?: string | null;
            subtitle?: string | null;
        };
        AppProfilePage: {
            apps: components["schemas"]["AppProfile"][];
            limit: number;
            page: number;
            total: number;
            totalIsEstimate?: boolean;
            totalPages: number;
        };
        AppProfileUpdate: {
            android?: components["schemas"]["AndroidApp"] | null;
            fallback?: ("store" | "web") | null;
            iconUrl?: string | null;
            ios?: components["schemas"]["IosApp"] | null;
            name?: string;
            pathPrefix?: string | null;
            subtitle?: string | null;
        };
        AssistantCampaign: {
            channel: string;
            copy: string[];
            name: string;
            previewUrl: string | null;
            utm: components["schemas"]["Utm"];
        };
        AssistantRecommendation: {
            action: string;
            evidence: string[];
            insightId?: string;
            /** @enum {string} */
            priority: "high" | "medium" | "low";
            rationale: string;
            title: string;
        };
        AuditLog: {
            _id: string;
            action: string;
            actor: {
                _id: string | null;
                accessToken?: {
                    _id: string;
                    name: string;
                };
                email: string | null;
                /** @enum {string} */
                type: "user" | "apiKey" | "system";
            };
            changes: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            ip: string | null;
            resourceId: string;
            resourceName?: string;
            resourceType: string;
            userAgent: string | null;
        };
        AuditLogPage: {
            auditLogs: components["schemas"]["AuditLog"][];
            limit: number;
            page: number;
            total: number;
            totalIsEstimate?: boolean;
            totalPages: number;
        };
        AuthSession: {
            organizations: components["schemas"]["Organization"][];
            token: string;
            user: components["schemas"]["User"];
        };
        BestDestinationResponse: {
            /** Format: date-time */
            generatedAt: string;
            range: components["schemas"]["AnalyticsRange"];
            recommendation: {
                best: components["schemas"]["DestinationCandidate"] | null;
                candidates: components["schemas"]["DestinationCandidate"][];
                generatedBy: string;
                reason: string;
            };
            summary: components["schemas"]["ComputedSummary"];
        };
        BioItem: {
            /** @enum {string} */
            display?: "button" | "icon" | "card" | "heading";
            icon?: string;
            imageUrl?: string;
            isActive: boolean;
            key: string;
            linkId?: string;
            title: string;
            url?: string;
        };
        BioItemInput: {
            display?: ("button" | "icon" | "card" | "heading") | null;
            icon?: string | null;
            imageUrl?: string | null;
            isActive?: boolean | null;
            key?: string | null;
            linkId?: string | null;
            title: string;
            url?: string | null;
        };
        BioPage: {
            _id: string;
            bio?: string;
            /** Format: date-time */
            createdAt: string;
            domainId: string;
            isActive: boolean;
            links: components["schemas"]["BioItem"][];
            orgId: string;
            safety: components["schemas"]["Safety"];
            slug: string;
            theme: components["schemas"]["BioTheme"];
            title: string;
            /** Format: date-time */
            updatedAt: string;
            url: string;
        };
        BioPageInput: {
            bio?: string | null;
            domainId?: string | null;
            isActive?: boolean;
            links?: components["schemas"]["BioItemInput"][] | null;
            slug?: string | null;
            theme?: components["schemas"]["BioTheme"] | null;
            title: string;
        };
        BioPagePage: {
            bioPages: components["schemas"]["BioPage"][];
            limit: number;
            page: number;
            total: number;
            totalIsEstimate?: boolean;
            totalPages: number;
        };
        BioPageUpdate: {
            bio?: string | null;
            domainId?: string | null;
            isActive?: boolean;
            links?: components["schemas"]["BioItemInput"][] | null;
            slug?: string | null;
            theme?: components["schemas"]["BioTheme"] | null;
            title?: string;
        };
        BioTheme: {
            accent?: string;
            avatarUrl?: string;
            background?: string;
            backgroundEnd?: string;
            /** @enum {string} */
            buttonShape?: "rounded" | "pill" | "square";
            /** @enum {string} */
            buttonStyle?: "fill" | "outline" | "soft" | "shadow";
            coverUrl?: string;
            /** @enum {string} */
            font?: "sans" | "serif" | "mono" | "rounded";
            /** @enum {string} */
            preset?: "light" | "dark" | "contrast" | "auto";
            text?: string;
        };
        Branding: {
            accentColor?: string;
            displayName?: string;
            footerText?: string;
            logoUrl?: string;
            supportUrl?: string;
        };
        BrandingInput: {
            accentColor?: string | null;
            displayName?: string | null;
            footerText?: string | null;
            logoUrl?: string | null;
            supportUrl?: string | null;
        };
        BrokenCampaign: {
            evidence: string[];
            id: string;
            linkId: string | null;
            recommendation: string;
            /** @enum {string} */
            severity: "high" | "medium" | "low";
            summary: string;
            title: string;
            /** @enum {string} */
            type: "dead_destination" | "unsafe_destination" | "expired_link" | "schedule_over" | "inactive_link" | "not_started" | "used_up" | "never_open" | "unknown_address" | "unverified_domain" | "traffic_collapse" | "split_without_targets" | "unreachable_rule" | "missing_utm";
        };
        BrokenCampaignsResponse: {
            campaigns: components["schemas"]["BrokenCampaign"][];
            /** Format: date-time */
            generatedAt: string;
            range: components["schemas"]["AnalyticsRange"];
            summary: components["schemas"]["ComputedSummary"];
        };
        BulkDeleteInput: {
            expected?: number;
            filter?: {
                domainId?: string;
                excludeTags?: string[];
                isArchived?: boolean;
                search?: string;
                /** @enum {string} */
                state?: "serving" | "scheduled" | "expired" | "used_up" | "inactive" | "unsafe";
                tags?: string[];
            };
            ids?: string[];
        };
        BulkDeleteResult: {
            deleted: string[];
            errors: {
                _id: string;
                details: string[];
                error: string;
                index: number;
            }[];
        };
        BulkLinkInput: {
            links: components["schemas"]["LinkInput"][];
        };
        BulkLinkResult: {
            created: components["schemas"]["Link"][];
            errors: {
                details: string[];
                error: string;
                index: number;
            }[];
        };
        BulkUpdateInput: {
            changes: {
                addTags?: string[];
                appProfileId?: string | null;
                ctaOverlay?: components["schemas"]["CtaOverlay"] | null;
                deepLinkPayload?: {
                    [key: string]: unknown;
                } | null;
                defaultUrl?: string;
                expiredUrl?: string | null;
                /** Format: date-time */
                expiresAt?: string | null;
                isActive?: boolean;
                isArchived?: boolean;
                leadCapture?: components["schemas"]["LeadCapture"] | null;
                marketing?: components["schemas"]["MarketingAttribution"] | null;
                maxClicks?: number | null;
                notes?: string | null;
                password?: string | null;
                removeTags?: string[];
                retargetingPixels?: components["schemas"]["RetargetingPixel"][] | null;
                rules?: components["schemas"]["RoutingRule"][] | null;
                social?: components["schemas"]["SocialInput"] | null;
                splitTargets?: components["schemas"]["SplitTarget"][] | null;
                /** Format: date-time */
                startsAt?: string | null;
                tags?: string[] | null;
                title?: string | null;
                utm?: components["schemas"]["Utm"] | null;
            };
            expected?: number;
            filter?: {
                domainId?: string;
                excludeTags?: string[];
                isArchived?: boolean;
                search?: string;
                /** @enum {string} */
                state?: "serving" | "scheduled" | "expired" | "used_up" | "inactive" | "unsafe";
                tags?: string[];
            };
            ids?: string[];
        };
        BulkUpdateResult: {
            errors: {
                _id: string;
                details: string[];
                error: string;
                index: number;
            }[];
            updated: components["schemas"]["Link"][];
        };
        CampaignInsight: {
            evidence: string[];
            id: string;
            metric: string;
            /** @enum {string} */
            priority: "high" | "medium" | "low";
            recommendation: string;
            summary: string;
            title: string;
            /** @enum {string} */
            type: "setup" | "opportunity" | "risk";
        };
        CampaignInsightsResponse: {
            /** Format: date-time */
            generatedAt: string;
            insights: components["schemas"]["CampaignInsight"][];
            range: components["schemas"]["AnalyticsRange"];
            summary: components["schemas"]["ComputedSummary"];
        };
        Certificate: {
            /** Format: date-time */
            checkedAt?: string;
            detail?: string;
            /** Format: date-time */
            expiresAt?: string;
            /** @enum {string} */
            status: "none" | "pending" | "ready" | "failed";
        };
        Click: {
            _id: string;
            botReasons: string[];
            browser?: string;
            city?: string;
            country?: string;
            deviceModel?: string;
            deviceType?: string;
            deviceVendor?: string;
            domainId?: string;
            isBot: boolean;
            language?: string;
            linkId: string;
            /** Format: date-time */
            occurredAt: string;
            os?: string;
            osVersion?: string;
            /** @enum {string} */
            platform: "ios" | "android" | "desktop" | "other";
            referrer?: string;
            region?: string;
            route: {
                destinationUrl: string;
                /** @enum {string} */
                kind: "rule" | "split" | "store" | "default";
                ruleIndex: number | null;
                ruleNumber: number | null;
                splitKey: string | null;
                splitLabel?: string;
            };
            spamScore: number;
            status: ("pending" | "confirmed" | "dismissed") | null;
            utm: components["schemas"]["Utm"];
            visitorId: string;
        };
        ClickDetail: {
            _id: string;
            botReasons: string[];
            browser?: string;
            city?: string;
            country?: string;
            deviceModel?: string;
            deviceType?: string;
            deviceVendor?: string;
            domainId?: string;
            isBot: boolean;
            language?: string;
            languages: string[];
            linkId: string;
            linkVersion?: number;
            localTime?: string;
            /** Format: date-time */
            occurredAt: string;
            os?: string;
            osVersion?: string;
            /** @enum {string} */
            platform: "ios" | "android" | "desktop" | "other";
            referrer?: string;
            region?: string;
            route: {
                destinationUrl: string;
                /** @enum {string} */
                kind: "rule" | "split" | "store" | "default";
                ruleIndex: number | null;
                ruleNumber: number | null;
                splitKey: string | null;
                splitLabel?: string;
            };
            spamScore: number;
            status: ("pending" | "confirmed" | "dismissed") | null;
            utm: components["schemas"]["Utm"];
            visitorId: string;
            why: components["schemas"]["ClickWhy"];
        };
        ClickMessage: {
            /** Format: date-time */
            createdAt: string;
            data: components["schemas"]["WebhookClick"] | components["schemas"]["WebhookErased"];
            /** @constant */
            event: "click";
            id: string;
            organizationId: string;
        };
        ClickPage: {
            clicks: components["schemas"]["Click"][];
            nextCursor: string | null;
            range: components["schemas"]["AnalyticsRange"];
        };
        ClickWhy: {
            /** @enum {string} */
            basis: "version" | "time" | "none";
            isSame: boolean | null;
            route: {
                destinationUrl: string;
                /** @enum {string} */
                kind: "rule" | "split" | "store" | "default";
                ruleIndex: number | null;
                ruleNumber: number | null;
                splitKey: string | null;
                splitLabel?: string;
            } | null;
            ruleTrace: {
                conditions: {
                    actual: unknown;
                    expected: unknown;
                    field: string;
                    matched: boolean;
                }[];
                destinationUrl: string;
                index: number;
                matched: boolean;
                priority: number;
            }[];
            text: string;
            version: number | null;
        };
        CodeInput: {
            code: string;
        };
        ComputedSummary: {
            clicks: number;
            conversions: number;
            /** @enum {string} */
            data: "enough" | "thin" | "none";
            found: number;
            notes: string[];
            text: string;
        };
        ConversionPrediction: {
            baseline: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            confidence: "high" | "medium" | "low";
            factors: components["schemas"]["PredictionFactor"][];
            horizonDays: number;
            intervals: {
                clicks: {
                    high: number;
                    low: number;
                };
                conversionRate: {
                    high: number;
                    low: number;
                };
                conversions: {
                    high: number;
                    low: number;
                };
                level: number;
            };
            /** @enum {string} */
            label: "high" | "medium" | "low";
            predictedConversionRate: number;
            projectedClicks: number;
            projectedConversions: number;
            recommendations: string[];
            score: number;
        };
        ConversionPredictionResponse: {
            /** Format: date-time */
            generatedAt: string;
            prediction: components["schemas"]["ConversionPrediction"];
            range: components["schemas"]["AnalyticsRange"];
            summary: components["schemas"]["ComputedSummary"];
        };
        CtaOverlay: {
            buttonText?: string;
            buttonUrl?: string;
            enabled?: boolean;
            message?: string;
            /** @enum {string} */
            mode?: "interstitial" | "overlay";
            /** @enum {string} */
            position?: "top" | "bottom" | "center";
        };
        CustomEvent: {
            _id: string;
            linkId?: string;
            metadata?: {
                [key: string]: unknown;
            };
            name: string;
            /** Format: date-time */
            occurredAt: string;
            value?: number;
            visitorId?: string;
        };
        CustomEventInput: {
            linkId?: string | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            name: string;
            value?: number | null;
            visitorId?: string | null;
        };
        CustomEventMessage: {
            /** Format: date-time */
            createdAt: string;
            data: components["schemas"]["CustomEvent"] | components["schemas"]["WebhookErased"];
            /** @constant */
            event: "custom.event";
            id: string;
            organizationId: string;
        };
        DashboardBranding: {
            branding: components["schemas"]["Branding"];
            enabled: boolean;
            organization?: components["schemas"]["Organization"];
        };
        DashboardHosting: {
            enabled: boolean;
            isPrimary: boolean;
        };
        DashboardHostingInput: {
            enabled?: boolean | null;
            isPrimary?: boolean | null;
        };
        Deleted: {
            _id: string;
            /** @constant */
            deleted: true;
        };
        DestinationCandidate: {
            clicks: number;
            /** @enum {string} */
            confidence: "high" | "medium" | "low";
            destinationUrl: string;
            events: number;
            id: string;
            installs: number;
            leads: number;
            linkId: string;
            linkTitle: string;
            metrics: {
                [key: string]: unknown;
            };
            reasons: string[];
            score: number;
            shortUrl: string | null;
            slug: string;
            sources: string[];
            splitLabel?: string;
            splitTarget: string | null;
            warnings: string[];
        };
        DisableTwoFactorInput: {
            code?: string;
            password?: string;
        };
        DnsRecord: {
            found: string[];
            isRequired: boolean;
            name: string;
            /** @enum {string} */
            status: "ok" | "missing" | "wrong" | "unknown";
            /** @enum {string} */
            type: "TXT" | "CNAME" | "A" | "AAAA";
            value?: string;
        };
        Domain: {
            _id: string;
            appConfig: components["schemas"]["AppConfig"];
            caseSensitive: boolean;
            /** Format: date-time */
            createdAt: string;
            dashboard: components["schemas"]["DashboardHosting"];
            hostname: string;
            isVerified: boolean;
            redirects: components["schemas"]["DomainRedirects"];
            verification?: components["schemas"]["DomainVerification"];
            /** Format: date-time */
            verifiedAt?: string;
        };
        DomainCheck: {
            advice?: string;
            /** @enum {string} */
            check: "ownership" | "address" | "tls" | "apple-app-site-association" | "apple-cdn" | "assetlinks" | "app" | "visitor-addresses";
            found: string;
            /** @enum {string} */
            status: "ok" | "warning" | "failed" | "unknown";
        };
        DomainConfiguration: {
            _id: string;
            certificate?: components["schemas"]["Certificate"];
            checks?: components["schemas"]["DomainCheck"][];
            hostname: string;
            isVerified: boolean;
            missing: string[];
            records: components["schemas"]["DnsRecord"][];
        };
        DomainInput: {
            caseSensitive?: boolean | null;
            hostname: string;
        };
        DomainList: components["schemas"]["Domain"][];
        DomainRedirects: {
            expired?: string;
            notFound?: string;
            root?: string | {
                bioPageId: string;
            };
        };
        DomainRedirectsInput: {
            expired?: string | null;
            notFound?: string | null;
            root?: (string | {
                bioPageId: string;
            }) | null;
        };
        DomainUpdate: {
            caseSensitive?: boolean | null;
            redirects?: components["schemas"]["DomainRedirectsInput"] | null;
        };
        DomainVerification: {
            /** Format: date-time */
            checkedAt: string;
            missing: string[];
            /** Format: date-time */
            missingSince?: string;
            records: components["schemas"]["DnsRecord"][];
        };
        EmailProofRequested: {
            /** @constant */
            requested: true;
        };
        EmailVerified: {
            /** @constant */
            verified: true;
        };
        Error: {
            details?: string[];
            error: string;
        };
        Health: {
            security: {
                headers: boolean;
                rateLimiting: boolean;
                sso: boolean;
                tls: boolean;
                twoFactor: boolean;
            };
            /** @enum {string} */
            status: "ok" | "degraded";
            /** Format: date-time */
            time: string;
        };
        Import: {
            _id: string;
            counts: {
                asked?: number;
                checked?: number;
                collision?: number;
                created?: number;
                different?: number;
                fetched?: number;
                incomplete?: number;
                kept?: number;
                leadHere?: number;
                notCompared?: number;
                records?: number;
                refused?: number;
                removed?: number;
                replaced?: number;
                skipped?: number;
                suffixed?: number;
                unanswered?: number;
                unchanged?: number;
            };
            /** Format: date-time */
            createdAt: string;
            error?: string;
            fileBytes: number;
            fileName: string;
            /** Format: date-time */
            finishedAt?: string;
            options: {
                domainMap: {
                    [key: string]: unknown;
                };
                dryRun: boolean;
                formerClicksByDay?: boolean;
                mapping: {
                    [key: string]: unknown;
                };
                notify: boolean;
                /** @enum {string} */
                onConflict: "skip" | "suffix" | "replace";
            };
            progress: number;
            /** @enum {string} */
            source: "firebase" | "dub" | "shlink" | "bitly" | "yourls" | "kutt" | "sink" | "rebrandly" | "shortio" | "waymark" | "csv";
            /** @enum {string} */
            status: "queued" | "running" | "done" | "failed" | "cancelled";
            /** @enum {string} */
            task: "import" | "verify" | "rollback";
        };
        ImportCredentials: {
            apiKey: string;
            baseUrl?: string;
            workspace?: string;
        };
        ImportOptionsInput: {
            domainMap?: {
                [key: string]: unknown;
            };
            dryRun?: boolean;
            formerClicksByDay?: boolean;
            mapping?: {
                [key: string]: unknown;
            };
            notify?: boolean;
            /** @enum {string} */
            onConflict?: "skip" | "suffix" | "replace";
            /** @enum {string} */
            source?: "firebase" | "dub" | "shlink" | "bitly" | "yourls" | "kutt" | "sink" | "rebrandly" | "shortio" | "waymark" | "csv";
        };
        ImportPage: {
            imports: components["schemas"]["Import"][];
            limit: number;
            page: number;
            total: number;
            totalIsEstimate?: boolean;
            totalPages: number;
        };
        ImportRow: {
            address: string;
            asked?: {
                location?: string;
                status: number;
                url: string;
            };
            clicksBefore?: number;
            differences?: {
                actual: string;
                expected: string;
                /** @constant */
                kind?: "asked";
                visitor: components["schemas"]["VerifiedVisitor"];
            }[];
            dropped: {
                field: string;
                why: string;
            }[];
            linkId?: string;
            notAsked?: string;
            part: number;
            /** @enum {string} */
            result: "created" | "suffixed" | "replaced" | "unchanged" | "skipped" | "collision" | "refused" | "removed" | "kept";
            row: number;
            why?: string;
        };
        ImportRowPage: {
            limit: number;
            page: number;
            rows: components["schemas"]["ImportRow"][];
            total: number;
            totalIsEstimate?: boolean;
            totalPages: number;
        };
        ImportUpload: {
            file: string;
            options?: string;
        };
        InstallAttributionInput: {
            campaignToken?: string;
            ct?: string;
            installAttributionToken?: string;
            /** @enum {string} */
            provider?: "play_install_referrer" | "app_store_campaign" | "clipboard" | "custom";
        };
        Invitation: {
            _id: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: email */
            email: string;
            invitedBy?: string;
            /** Format: date-time */
            inviteExpiresAt?: string;
            inviteToken: string;
            inviteUrl: string;
            name?: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
            /** @enum {string} */
            status: "active" | "invited";
            userId?: string;
        };
        InvitedRegisterInput: {
            /** Format: email */
            email: string;
            inviteToken: string;
            name: string;
            organizationName?: string;
            password: string;
        } & {
            [key: string]: unknown;
        };
        InviteMemberInput: {
            /** Format: email */
            email: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
        };
        IosApp: {
            appStoreId?: string;
            bundleId?: string;
            campaignName?: string;
            providerToken?: string;
            scheme?: string;
            teamId?: string;
        };
        Lead: {
            _id: string;
            /** Format: date-time */
            createdAt: string;
            fields: {
                [key: string]: string;
            };
            linkId: string;
            visitorId: string;
        };
        LeadCapture: {
            buttonText?: string;
            consentText?: string;
            description?: string;
            enabled?: boolean;
            fields?: components["schemas"]["LeadField"][];
            title?: string;
        };
        LeadField: {
            label?: string;
            name: string;
            required?: boolean;
            /** @enum {string} */
            type?: "text" | "email" | "tel" | "url" | "number" | "textarea" | "checkbox";
        };
        LeadPage: {
            leads: components["schemas"]["Lead"][];
            limit: number;
            page: number;
            total: number;
            totalIsEstimate?: boolean;
            totalPages: number;
        };
        Link: {
            _id: string;
            appProfileId?: string;
            clickCount: number;
            clicksBefore?: number;
            /** Format: date-time */
            createdAt: string;
            ctaOverlay?: components["schemas"]["CtaOverlay"];
            deepLinkPayload?: {
                [key: string]: unknown;
            };
            defaultUrl: string;
            domainId: string;
            expiredUrl?: string;
            /** Format: date-time */
            expiresAt?: string;
            externalId?: string;
            importedFrom?: {
                id: string;
                source: string;
            };
            isActive: boolean;
            isArchived: boolean;
            leadCapture?: components["schemas"]["LeadCapture"];
            marketing?: components["schemas"]["MarketingAttribution"];
            maxClicks?: number;
            notes?: string;
            orgId: string;
            passwordProtected: boolean;
            pathPrefix?: string;
            retargetingPixels: components["schemas"]["RetargetingPixel"][];
            rules: components["schemas"]["RoutingRule"][];
            safety: components["schemas"]["Safety"];
            shortUrl: string;
            slug: string;
            social?: components["schemas"]["Social"];
            splitTargets: components["schemas"]["SplitTarget"][];
            /** Format: date-time */
            startsAt?: string;
            tags: string[];
            title?: string;
            /** Format: date-time */
            updatedAt: string;
            utm?: components["schemas"]["Utm"];
        };
        LinkCreatedMessage: {
            /** Format: date-time */
            createdAt: string;
            data: components["schemas"]["Link"];
            /** @constant */
            event: "link.created";
            id: string;
            organizationId: string;
        };
        LinkInput: {
            appProfileId?: string | null;
            ctaOverlay?: components["schemas"]["CtaOverlay"] | null;
            deepLinkPayload?: {
                [key: string]: unknown;
            } | null;
            defaultUrl: string;
            domainId?: string | null;
            expiredUrl?: string | null;
            /** Format: date-time */
            expiresAt?: string | null;
            externalId?: string | null;
            isActive?: boolean;
            isArchived?: boolean;
            leadCapture?: components["schemas"]["LeadCapture"] | null;
            marketing?: components["schemas"]["MarketingAttribution"] | null;
            maxClicks?: number | null;
            notes?: string | null;
            password?: string | null;
            pathPrefix?: string | null;
            retargetingPixels?: components["schemas"]["RetargetingPixel"][] | null;
            rules?: components["schemas"]["RoutingRule"][] | null;
            slug?: string | null;
            social?: components["schemas"]["SocialInput"] | null;
            splitTargets?: components["schemas"]["SplitTarget"][] | null;
            /** Format: date-time */
            startsAt?: string | null;
            tags?: string[] | null;
            title?: string | null;
            utm?: components["schemas"]["Utm"] | null;
        };
        LinkMatchedMessage: {
            /** Format: date-time */
            createdAt: string;
            data: components["schemas"]["WebhookMatch"] | components["schemas"]["WebhookErased"];
            /** @constant */
            event: "link.matched";
            id: string;
            organizationId: string;
        };
        LinkOpenedMessage: {
            /** Format: date-time */
            createdAt: string;
            data: components["schemas"]["WebhookOpen"] | components["schemas"]["WebhookErased"];
            /** @constant */
            event: "link.opened";
            id: string;
            organizationId: string;
        };
        LinkPage: {
            limit: number;
            links: components["schemas"]["LinkWithBlockers"][];
            nextCursor: string | null;
            page: number;
            total: number;
            totalIsEstimate?: boolean;
            totalPages: number;
        };
        LinkPreviewInput: {
            address?: string;
            browser?: string;
            city?: string;
            contexts?: {
                address?: string;
                browser?: string;
                city?: string;
                country?: string;
                deviceModel?: string;
                deviceType?: string;
                deviceVendor?: string;
                language?: string;
                /** Format: date-time */
                now?: string;
                osVersion?: string;
                /** @enum {string} */
                platform?: "ios" | "android" | "desktop" | "other";
                query?: string;
                randomizeVisitor?: boolean;
                referrer?: string;
                region?: string;
                timezoneOffsetMinutes?: number;
                visitorId?: string;
            }[];
            country?: string;
            deviceModel?: string;
            deviceType?: string;
            deviceVendor?: string;
            domain?: string;
            language?: string;
            link?: {
                appProfileId?: string | null;
                ctaOverlay?: components["schemas"]["CtaOverlay"] | null;
                deepLinkPayload?: {
                    [key: string]: unknown;
                } | null;
                defaultUrl?: string;
                domainId?: string | null;
                expiredUrl?: string | null;
                /** Format: date-time */
                expiresAt?: string | null;
                externalId?: string | null;
                isActive?: boolean;
                isArchived?: boolean;
                leadCapture?: components["schemas"]["LeadCapture"] | null;
                marketing?: components["schemas"]["MarketingAttribution"] | null;
                maxClicks?: number | null;
                notes?: string | null;
                password?: string | null;
                pathPrefix?: string | null;
                retargetingPixels?: components["schemas"]["RetargetingPixel"][] | null;
                rules?: components["schemas"]["RoutingRule"][] | null;
                slug?: string | null;
                social?: components["schemas"]["SocialInput"] | null;
                splitTargets?: components["schemas"]["SplitTarget"][] | null;
                /** Format: date-time */
                startsAt?: string | null;
                tags?: string[] | null;
                title?: string | null;
                utm?: components["schemas"]["Utm"] | null;
            };
            /** Format: date-time */
            now?: string;
            osVersion?: string;
            password?: string;
            pathPrefix?: string;
            /** @enum {string} */
            platform?: "ios" | "android" | "desktop" | "other";
            query?: string;
            randomizeVisitor?: boolean;
            referrer?: string;
            region?: string;
            shortUrl?: string;
            slug?: string;
            timezoneOffsetMinutes?: number;
            visitorId?: string;
        };
        LinkPreviewResponse: {
            blockedUrl: string | null;
            blockers: ("inactive" | "unsafe" | "domain_unverified" | "not_started" | "expired" | "max_clicks_reached" | "password_required" | "password_incorrect")[];
            context: {
                [key: string]: unknown;
            };
            contexts?: components["schemas"]["PreviewOutcome"][];
            deepLinkPayload: {
                [key: string]: unknown;
            };
            link: components["schemas"]["Link"];
            ok: boolean;
            route: {
                destinationUrl: string;
                /** @enum {string} */
                kind: "rule" | "split" | "store" | "default";
                ruleIndex: number | null;
                splitKey: string | null;
                storeSkipped: components["schemas"]["StoreSkipped"] | null;
            };
            ruleTrace: {
                conditions: {
                    actual: unknown;
                    expected: unknown;
                    field: string;
                    matched: boolean;
                }[];
                destinationUrl: string;
                index: number;
                matched: boolean;
                priority: number;
            }[];
            safety: components["schemas"]["Safety"];
        };
        LinkTrends: {
            links: {
                clicks: number[];
                linkId: string;
            }[];
            range: components["schemas"]["AnalyticsRange"];
        };
        LinkUpdate: {
            appProfileId?: string | null;
            ctaOverlay?: components["schemas"]["CtaOverlay"] | null;
            deepLinkPayload?: {
                [key: string]: unknown;
            } | null;
            defaultUrl?: string;
            domainId?: string | null;
            expiredUrl?: string | null;
            /** Format: date-time */
            expiresAt?: string | null;
            externalId?: string | null;
            isActive?: boolean;
            isArchived?: boolean;
            leadCapture?: components["schemas"]["LeadCapture"] | null;
            marketing?: components["schemas"]["MarketingAttribution"] | null;
            maxClicks?: number | null;
            notes?: string | null;
            password?: string | null;
            pathPrefix?: string | null;
            retargetingPixels?: components["schemas"]["RetargetingPixel"][] | null;
            rules?: components["schemas"]["RoutingRule"][] | null;
            slug?: string | null;
            social?: components["schemas"]["SocialInput"] | null;
            splitTargets?: components["schemas"]["SplitTarget"][] | null;
            /** Format: date-time */
            startsAt?: string | null;
            tags?: string[] | null;
            title?: string | null;
            utm?: components["schemas"]["Utm"] | null;
        };
        LinkWithBlockers: {
            _id: string;
            appProfileId?: string;
            blockers: ("inactive" | "unsafe" | "domain_unverified" | "not_started" | "expired" | "max_clicks_reached" | "password_required" | "password_incorrect")[];
            clickCount: number;
            clicksBefore?: number;
            /** Format: date-time */
            createdAt: string;
            ctaOverlay?: components["schemas"]["CtaOverlay"];
            deepLinkPayload?: {
                [key: string]: unknown;
            };
            defaultUrl: string;
            domainId: string;
            expiredUrl?: string;
            /** Format: date-time */
            expiresAt?: string;
            externalId?: string;
            importedFrom?: {
                id: string;
                source: string;
            };
            isActive: boolean;
            isArchived: boolean;
            leadCapture?: components["schemas"]["LeadCapture"];
            marketing?: components["schemas"]["MarketingAttribution"];
            maxClicks?: number;
            notes?: string;
            orgId: string;
            passwordProtected: boolean;
            pathPrefix?: string;
            retargetingPixels: components["schemas"]["RetargetingPixel"][];
            rules: components["schemas"]["RoutingRule"][];
            safety: components["schemas"]["Safety"];
            shortUrl: string;
            slug: string;
            social?: components["schemas"]["Social"];
            splitTargets: components["schemas"]["SplitTarget"][];
            /** Format: date-time */
            startsAt?: string;
            tags: string[];
            title?: string;
            /** Format: date-time */
            updatedAt: string;
            utm?: components["schemas"]["Utm"];
        };
        LoginInput: {
            /** Format: email */
            email: string;
            inviteToken?: string;
            password: string;
        };
        MarketingAssistantInput: {
            audience?: string;
            channel?: string;
            goal: string;
            linkId?: string;
            productUrl?: string;
            tone?: string;
        };
        MarketingAssistantResponse: {
            campaigns: components["schemas"]["AssistantCampaign"][];
            /** Format: date-time */
            generatedAt: string;
            /** @enum {string} */
            generatedBy: "statistics" | "model";
            recommendations: components["schemas"]["AssistantRecommendation"][];
            summary: string;
            warnings: string[];
        };
        MarketingAttribution: {
            affiliateId?: string;
            appendToDestination?: boolean;
            couponCode?: string;
            promoCode?: string;
            referralCode?: string;
        };
        MatchInput: {
            matchToken: string;
        };
        MatchResponse: {
            deepLinkPayload?: {
                [key: string]: unknown;
            };
            destinationUrl?: string;
            /** @enum {string} */
            installAttributionProvider?: "play_install_referrer" | "app_store_campaign" | "clipboard" | "custom";
            installId?: string;
            matched: boolean;
            openId?: string;
        };
        Member: {
            _id: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: email */
            email: string;
            invitedBy?: string;
            /** Format: date-time */
            inviteExpiresAt?: string;
            name?: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
            /** @enum {string} */
            status: "active" | "invited";
            userId?: string;
        };
        MemberPage: {
            limit: number;
            members: components["schemas"]["Member"][];
            page: number;
            total: number;
            totalIsEstimate?: boolean;
            totalPages: number;
        };
        Organization: {
            _id: string;
            branding: components["schemas"]["Branding"];
            name: string;
            settings?: components["schemas"]["OrganizationSettings"];
            slug: string;
        };
        OrganizationExport: {
            _id: string;
            bytes: number;
            counts: {
                [key: string]: number;
            };
            /** Format: date-time */
            createdAt: string;
            error?: string;
            expiredClicks?: {
                /** Format: date-time */
                before: string;
                count: number;
            };
            /** Format: date-time */
            expiresAt?: string;
            /** Format: date-time */
            finishedAt?: string;
            requestedBy?: string;
            /** @enum {string} */
            status: "queued" | "running" | "done" | "failed";
        };
        OrganizationExportPage: {
            exports: components["schemas"]["OrganizationExport"][];
            limit: number;
            page: number;
            total: number;
            totalIsEstimate?: boolean;
            totalPages: number;
        };
        OrganizationInput: {
            name: string;
        };
        OrganizationSettings: {
            appendClickId: boolean;
            conversions: ("installs" | "leads" | "valued_events" | "events")[];
        };
        OrganizationSettingsInput: {
            appendClickId?: boolean | null;
            conversions?: ("installs" | "leads" | "valued_events" | "events")[] | null;
        };
        OrganizationUpdate: {
            branding?: components["schemas"]["BrandingInput"] | null;
            name?: string;
            settings?: components["schemas"]["OrganizationSettingsInput"] | null;
        };
        PasswordForgottenInput: {
            /** Format: email */
            email: string;
        };
        PasswordResetDone: {
            /** @constant */
            reset: true;
        };
        PasswordResetInput: {
            password: string;
            token: string;
        };
        PasswordResetRequested: {
            /** @constant */
            requested: true;
        };
        PredictionFactor: {
            explanation: string;
            /** @enum {string} */
            impact: "positive" | "negative" | "neutral";
            name: string;
            value: string;
        };
        PreviewOutcome: {
            blockedUrl: string | null;
            blockers: ("inactive" | "unsafe" | "domain_unverified" | "not_started" | "expired" | "max_clicks_reached" | "password_required" | "password_incorrect")[];
            context: {
                [key: string]: unknown;
            };
            ok: boolean;
            route: {
                destinationUrl: string;
                /** @enum {string} */
                kind: "rule" | "split" | "store" | "default";
                ruleIndex: number | null;
                splitKey: string | null;
                storeSkipped: components["schemas"]["StoreSkipped"] | null;
            };
            ruleTrace: {
                conditions: {
                    actual: unknown;
                    expected: unknown;
                    field: string;
                    matched: boolean;
                }[];
                destinationUrl: string;
                index: number;
                matched: boolean;
                priority: number;
            }[];
        };
        PrivacyErasure: {
            _id: string;
            erased: {
                claims: number;
                clicks: number;
                deliveries: number;
                events: number;
                leads: number;
                opens: number;
            };
            isComplete: boolean;
        };
        PrivacyErasureInput: {
            /** Format: email */
            email?: string;
            visitorId?: string;
        };
        QrCodeResponse: {
            qrCodeDataUrl: string;
            shortUrl: string;
        };
        QrStyle: {
            darkColor: string;
            /** @enum {string} */
            errorCorrectionLevel: "L" | "M" | "Q" | "H";
            /** @enum {string} */
            formatRecommendation: "png" | "svg" | "pdf";
            includeLogo: boolean;
            lightColor: string;
            margin: number;
            name: string;
            query: string;
            width: number;
        };
        QrStyleInput: {
            accentColor?: string | null;
            campaignName?: string | null;
            channel?: string | null;
            includeLogo?: boolean | null;
            placement?: string | null;
            source?: string | null;
            theme?: string | null;
        };
        QrStyleResponse: {
            confidence: number;
            /** Format: date-time */
            generatedAt: string;
            link: {
                _id: string;
                shortUrl: string;
                slug: string;
                title?: string;
            };
            rationale: string[];
            style: components["schemas"]["QrStyle"];
            swatches: components["schemas"]["QrSwatch"][];
            warnings: string[];
        };
        QrSwatch: {
            contrast: number;
            darkColor: string;
            lightColor: string;
            name: string;
        };
        Ready: {
            ready: boolean;
        };
        RegisterInput: {
            /** Format: email */
            email: string;
            inviteToken?: string;
            name: string;
            organizationName: string;
            password: string;
        } & {
            [key: string]: unknown;
        };
        Report: {
            _id: string;
            /** Format: date-time */
            createdAt: string;
            createdBy?: string;
            description?: string;
            filters: {
                browser?: string[];
                city?: string[];
                country?: string[];
                destination?: string[];
                device?: string[];
                domainId?: string[];
                /** Format: date-time */
                from?: string;
                includeBots?: boolean;
                language?: string[];
                linkId?: string;
                os?: string[];
                /** @enum {string} */
                period?: "24h" | "7d" | "30d" | "90d";
                referrer?: string[];
                region?: string[];
                rule?: string[];
                split?: string[];
                tag?: string[];
                /** Format: date-time */
                to?: string;
                utmCampaign?: string[];
                utmContent?: string[];
                utmMedium?: string[];
                utmSource?: string[];
                utmTerm?: string[];
            };
            metrics: ("clicks" | "uniqueVisitors" | "opens" | "installs" | "leads" | "events" | "eventValue")[];
            name: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ReportFilters: {
            browser?: string[] | null;
            city?: string[] | null;
            country?: string[] | null;
            destination?: string[] | null;
            device?: string[] | null;
            domainId?: string[] | null;
            /** Format: date-time */
            from?: string | null;
            includeBots?: boolean | null;
            language?: string[] | null;
            linkId?: string | null;
            os?: string[] | null;
            period?: ("24h" | "7d" | "30d" | "90d") | null;
            referrer?: string[] | null;
            region?: string[] | null;
            rule?: string[] | null;
            split?: string[] | null;
            tag?: string[] | null;
            /** Format: date-time */
            to?: string | null;
            utmCampaign?: string[] | null;
            utmContent?: string[] | null;
            utmMedium?: string[] | null;
            utmSource?: string[] | null;
            utmTerm?: string[] | null;
        };
        ReportInput: {
            description?: string | null;
            filters?: components["schemas"]["ReportFilters"] | null;
            metrics?: ("clicks" | "uniqueVisitors" | "opens" | "installs" | "leads" | "events" | "eventValue")[] | null;
            name: string;
        };
        ReportPage: {
            limit: number;
            page: number;
            reports: components["schemas"]["Report"][];
            total: number;
            totalIsEstimate?: boolean;
            totalPages: number;
        };
        ReportUpdate: {
            description?: string | null;
            filters?: components["schemas"]["ReportFilters"] | null;
            metrics?: ("clicks" | "uniqueVisitors" | "opens" | "installs" | "leads" | "events" | "eventValue")[] | null;
            name?: string;
        };
        ResolveResponse: {
            deepLinkPayload: {
                [key: string]: unknown;
            };
            destinationUrl: string;
            title?: string;
        };
        RetargetingPixel: {
            id: string;
            isActive?: boolean;
            /** @enum {string} */
            provider: "meta" | "google" | "tiktok" | "linkedin" | "x" | "pinterest" | "snapchat";
        };
        Revision: {
            _id: string;
            /** Format: date-time */
            changedAt: string;
            changedBy: string | null;
            changes: {
                field: string;
                from: unknown;
                to: unknown;
            }[];
            snapshot: {
                [key: string]: unknown;
            };
            version: number;
        };
        RevisionPage: {
            limit: number;
            page: number;
            revisions: components["schemas"]["Revision"][];
            total: number;
            totalIsEstimate?: boolean;
            totalPages: number;
        };
        RoleInput: {
            /** @enum {string} */
            role: "viewer" | "member" | "admin" | "owner";
        };
        RollbackInput: {
            force?: boolean | null;
        };
        RoutingRule: {
            conditions?: {
                addresses?: string[];
                /** Format: date-time */
                after?: string;
                /** Format: date-time */
                before?: string;
                browsers?: string[];
                cities?: string[];
                countries?: string[];
                daysOfWeek?: number[];
                deviceModels?: string[];
                deviceTypes?: string[];
                deviceVendors?: string[];
                endTime?: string;
                languages?: string[];
                maxOsVersion?: string;
                minOsVersion?: string;
                platform?: ("ios" | "android" | "desktop" | "other")[];
                query?: {
                    name: string;
                    values?: string[];
                }[];
                referrers?: string[];
                regions?: string[];
                startTime?: string;
            };
            destinationUrl: string;
            number?: number;
            priority?: number;
        };
        Safety: {
            /** Format: date-time */
            checkedAt?: string;
            destinations?: {
                reasons: string[];
                /** @enum {string} */
                status: "safe" | "suspicious" | "unsafe" | "unknown";
                url: string;
            }[];
            reasons: string[];
            /** @enum {string} */
            status: "safe" | "suspicious" | "unsafe" | "unknown";
        };
        Session: {
            _id: string;
            browser?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            ip?: string;
            isCurrent: boolean;
            /** Format: date-time */
            lastUsedAt?: string;
            os?: string;
            ssoOrgId?: string;
            userAgent?: string;
        };
        SessionPage: {
            limit: number;
            page: number;
            sessions: components["schemas"]["Session"][];
            total: number;
            totalIsEstimate?: boolean;
            totalPages: number;
        };
        SignedOut: {
            /** @constant */
            signedOut: true;
        };
        Social: {
            description?: string;
            imageUrl?: string;
            title?: string;
        };
        SocialInput: {
            description?: string;
            imageUrl?: string;
            title?: string;
        };
        SplitTarget: {
            destinationUrl: string;
            isActive?: boolean;
            key: string;
            label?: string;
            weight?: number;
        };
        SsoConfiguration: {
            allowedDomains: string[];
            callbackUrl: string;
            clientId?: string;
            /** @enum {string} */
            defaultRole: "viewer" | "member" | "admin";
            enabled: boolean;
            enforce: boolean;
            hasClientSecret: boolean;
            issuer?: string;
            startUrl: string;
            /** Format: date-time */
            updatedAt?: string;
        };
        SsoExchangeInput: {
            code: string;
            codeVerifier: string;
        };
        SsoUpdate: {
            allowedDomains?: string[] | null;
            clientId?: string | null;
            clientSecret?: string | null;
            /** @enum {string} */
            defaultRole?: "viewer" | "member" | "admin";
            enabled?: boolean;
            enforce?: boolean;
            issuer?: string | null;
        };
        StoreSkipped: {
            note: string;
            /** @enum {string} */
            reason: "no_app" | "web_fallback" | "rule" | "split" | "platform" | "device" | "no_store_id";
        };
        TlsAnswer: {
            domain: string;
        };
        TopLink: {
            _id: string;
            appProfileId?: string;
            clickCount: number;
            clicks: number;
            clicksBefore?: number;
            /** Format: date-time */
            createdAt: string;
            ctaOverlay?: components["schemas"]["CtaOverlay"];
            deepLinkPayload?: {
                [key: string]: unknown;
            };
            defaultUrl: string;
            domainId: string;
            expiredUrl?: string;
            /** Format: date-time */
            expiresAt?: string;
            externalId?: string;
            importedFrom?: {
                id: string;
                source: string;
            };
            isActive: boolean;
            isArchived: boolean;
            isDeleted: boolean;
            leadCapture?: components["schemas"]["LeadCapture"];
            marketing?: components["schemas"]["MarketingAttribution"];
            maxClicks?: number;
            notes?: string;
            orgId: string;
            passwordProtected: boolean;
            pathPrefix?: string;
            retargetingPixels: components["schemas"]["RetargetingPixel"][];
            rules: components["schemas"]["RoutingRule"][];
            safety: components["schemas"]["Safety"];
            shortUrl: string;
            slug: string;
            social?: components["schemas"]["Social"];
            splitTargets: components["schemas"]["SplitTarget"][];
            /** Format: date-time */
            startsAt?: string;
            tags: string[];
            title?: string;
            uniqueVisitors: number;
            /** Format: date-time */
            updatedAt: string;
            utm?: components["schemas"]["Utm"];
        };
        TopLinks: {
            links: components["schemas"]["TopLink"][];
            range: components["schemas"]["AnalyticsRange"];
        };
        TrafficAnomaliesResponse: {
            anomalies: components["schemas"]["TrafficAnomaly"][];
            /** Format: date-time */
            generatedAt: string;
            range: components["schemas"]["AnalyticsRange"];
            summary: components["schemas"]["ComputedSummary"];
        };
        TrafficAnomaly: {
            evidence: string[];
            id: string;
            metric: string;
            recommendation: string;
            /** @enum {string} */
            severity: "high" | "medium" | "low";
            summary: string;
            title: string;
            type: string;
        };
        TrafficPreview: {
            clicks: number;
            evaluated: number;
            marginOfError: number;
            /** @enum {string} */
            method: "none" | "all" | "sample";
            outcomes: {
                count: number;
                /** @enum {string} */
                kind: "rule" | "split" | "store" | "default";
                ruleIndex: number | null;
                share: number;
                splitKey: string | null;
            }[];
            range: {
                /** Format: date-time */
                from: string;
                /** Format: date-time */
                to: string;
            };
            unknown: {
                count: number;
                share: number;
            };
        };
        TrafficPreviewInput: {
            days?: number;
            link?: {
                appProfileId?: string | null;
                ctaOverlay?: components["schemas"]["CtaOverlay"] | null;
                deepLinkPayload?: {
                    [key: string]: unknown;
                } | null;
                defaultUrl?: string;
                domainId?: string | null;
                expiredUrl?: string | null;
                /** Format: date-time */
                expiresAt?: string | null;
                externalId?: string | null;
                isActive?: boolean;
                isArchived?: boolean;
                leadCapture?: components["schemas"]["LeadCapture"] | null;
                marketing?: components["schemas"]["MarketingAttribution"] | null;
                maxClicks?: number | null;
                notes?: string | null;
                password?: string | null;
                pathPrefix?: string | null;
                retargetingPixels?: components["schemas"]["RetargetingPixel"][] | null;
                rules?: components["schemas"]["RoutingRule"][] | null;
                slug?: string | null;
                social?: components["schemas"]["SocialInput"] | null;
                splitTargets?: components["schemas"]["SplitTarget"][] | null;
                /** Format: date-time */
                startsAt?: string | null;
                tags?: string[] | null;
                title?: string | null;
                utm?: components["schemas"]["Utm"] | null;
            };
        };
        TwoFactorEnabled: {
            enabled: boolean;
            recoveryCodes: string[];
        };
        TwoFactorLoginInput: {
            challengeToken: string;
            code: string;
            inviteToken?: string;
        };
        TwoFactorRequired: {
            challengeToken: string;
            /** @constant */
            twoFactorRequired: true;
        };
        TwoFactorSetup: {
            otpauthUrl: string;
            qrCodeDataUrl: string;
            secret: string;
        };
        TwoFactorStatus: {
            enabled: boolean;
        };
        UnservedVisits: {
            byReason: {
                count: number;
                /** @enum {string} */
                reason: "unknown" | "domain_unverified" | "inactive" | "not_started" | "expired" | "max_clicks_reached" | "unsafe" | "password_required" | "password_incorrect" | "lead_required" | "attempts" | "busy" | "probing";
                status: number;
            }[];
            range: components["schemas"]["AnalyticsRange"];
            timeseries: {
                /** Format: date-time */
                at: string;
                count: number;
            }[];
            total: number;
            visits: {
                address: string | null;
                count: number;
                domainId: string;
                hostname: string | null;
                /** Format: date-time */
                lastAt: string;
                linkId: string | null;
                /** @enum {string} */
                reason: "unknown" | "domain_unverified" | "inactive" | "not_started" | "expired" | "max_clicks_reached" | "unsafe" | "password_required" | "password_incorrect" | "lead_required" | "attempts" | "busy" | "probing";
                status: number;
                title: string | null;
            }[];
        };
        Usage: {
            apiKeys: {
                limit: number | null;
                used: number;
            };
            domains: {
                limit: number | null;
                used: number;
            };
            links: {
                limit: number | null;
                used: number;
            };
            members: {
                limit: number | null;
                used: number;
            };
            month: string;
            /** @enum {string} */
            plan: "free" | "pro" | "scale" | "unlimited";
            requests: {
                limit: number | null;
                used: number;
            };
        };
        User: {
            _id: string;
            /** Format: email */
            email: string;
            emailVerified: boolean;
            name: string;
            twoFactorEnabled: boolean;
        };
        Utm: {
            campaign?: string;
            content?: string;
            medium?: string;
            source?: string;
            term?: string;
        };
        UtmGenerationInput: {
            audience?: string;
            campaign?: string;
            campaignName?: string;
            channel?: string;
            content?: string;
            creative?: string;
            destinationUrl?: string;
            keyword?: string;
            medium?: string;
            platform?: string;
            source?: string;
            term?: string;
            title?: string;
            variant?: string;
        };
        UtmGenerationResponse: {
            confidence: number;
            /** Format: date-time */
            generatedAt: string;
            previewUrl: string | null;
            rationale: string[];
            utm: components["schemas"]["Utm"];
            warnings: string[];
        };
        VerifiedVisitor: {
            address?: string;
            browser?: string;
            city?: string;
            country?: string;
            deviceModel?: string;
            deviceType?: string;
            deviceVendor?: string;
            isBot?: boolean;
            language?: string;
            /** Format: date-time */
            now?: string;
            osVersion?: string;
            /** @enum {string} */
            platform?: "ios" | "android" | "desktop" | "other";
            query?: string;
            referrer?: string;
            region?: string;
            summary: string;
            /** @enum {string} */
            system?: "windows" | "macos" | "linux" | "chromeos";
            visitsBefore?: number;
        };
        VerifyEmailInput: {
            token: string;
        };
        VerifyInput: {
            askOldAddresses?: boolean | null;
        };
        Webhook: {
            _id: string;
            batch: boolean;
            /** Format: date-time */
            createdAt: string;
            description?: string;
            disabledReason?: string;
            dropped: number;
            events: ("click" | "link.created" | "link.matched" | "link.opened" | "custom.event")[];
            isActive: boolean;
            oldestPendingSeconds?: number;
            pending: number;
            secretHint: string;
            /** Format: date-time */
            updatedAt: string;
            url: string;
        };
        WebhookBatchMessage: {
            events: (components["schemas"]["ClickMessage"] | components["schemas"]["LinkCreatedMessage"] | components["schemas"]["LinkMatchedMessage"] | components["schemas"]["LinkOpenedMessage"] | components["schemas"]["CustomEventMessage"])[];
            id: string;
        };
        WebhookClick: {
            _id: string;
            botReasons: string[];
            browser?: string;
            city?: string;
            country?: string;
            deviceModel?: string;
            deviceType?: string;
            deviceVendor?: string;
            isBot: boolean;
            language?: string;
            linkId: string;
            /** Format: date-time */
            occurredAt: string;
            orgId: string;
            os?: string;
            osVersion?: string;
            /** @enum {string} */
            platform: "ios" | "android" | "desktop" | "other";
            referrer?: string;
            region?: string;
            route: {
                destinationUrl: string;
                kind: string;
                ruleIndex: number | null;
                ruleNumber: number | null;
                splitKey: string | null;
            };
            spamScore: number;
            utm?: components["schemas"]["Utm"];
            visitorId: string;
        };
        WebhookDelivery: {
            _id: string;
            attempts: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            deliveredAt?: string;
            durationMs?: number;
            error?: string;
            /** @enum {string} */
            event: "click" | "link.created" | "link.matched" | "link.opened" | "custom.event" | "batch";
            /** Format: date-time */
            lastAttemptAt?: string;
            messageId: string;
            messages: number;
            /** Format: date-time */
            nextAttemptAt?: string;
            responseBody?: string;
            responseStatus?: number;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed" | "dropped";
            webhookId: string;
        };
        WebhookDeliveryPage: {
            deliveries: components["schemas"]["WebhookDelivery"][];
            limit: number;
            page: number;
            total: number;
            totalIsEstimate?: boolean;
            totalPages: number;
        };
        WebhookDeliveryWithRequest: {
            _id: string;
            attempts: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            deliveredAt?: string;
            durationMs?: number;
            error?: string;
            /** @enum {string} */
            event: "click" | "link.created" | "link.matched" | "link.opened" | "custom.event" | "batch";
            /** Format: date-time */
            lastAttemptAt?: string;
            messageId: string;
            messages: number;
            /** Format: date-time */
            nextAttemptAt?: string;
            requestBody?: string;
            responseBody?: string;
            responseStatus?: number;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed" | "dropped";
            webhookId: string;
        };
        WebhookErased: {
            /** @constant */
            erased: true;
        };
        WebhookInput: {
            batch?: boolean;
            description?: string | null;
            events: ("click" | "link.created" | "link.matched" | "link.opened" | "custom.event")[];
            isActive?: boolean;
            url: string;
        };
        WebhookMatch: {
            deepLinkPayload: {
                [key: string]: unknown;
            };
            destinationUrl: string;
            /** @enum {string} */
            installAttributionProvider?: "play_install_referrer" | "app_store_campaign" | "clipboard" | "custom";
            installId: string;
            link: {
                _id: string;
                shortUrl: string;
                title?: string;
            };
            linkId: string;
            openId: string;
            /** @enum {string} */
            platform: "ios" | "android" | "desktop" | "other";
            /** @enum {string} */
            source: "direct" | "deferred";
        };
        WebhookOpen: {
            deepLinkPayload: {
                [key: string]: unknown;
            };
            destinationUrl: string;
            /** @enum {string} */
            installAttributionProvider?: "play_install_referrer" | "app_store_campaign" | "clipboard" | "custom";
            installId?: string;
            link: {
                _id: string;
                shortUrl: string;
                title?: string;
            };
            linkId: string;
            openId: string;
            /** @enum {string} */
            platform: "ios" | "android" | "desktop" | "other";
            /** @enum {string} */
            source: "direct" | "deferred";
        };
        WebhookPage: {
            limit: number;
            page: number;
            total: number;
            totalIsEstimate?: boolean;
            totalPages: number;
            webhooks: components["schemas"]["Webhook"][];
        };
        WebhookTestInput: {
            /** @enum {string} */
            event?: "click" | "link.created" | "link.matched" | "link.opened" | "custom.event";
        };
        WebhookTestResult: {
            delivered: boolean;
            durationMs?: number;
            error?: string;
            /** @enum {string} */
            event: "click" | "link.created" | "link.matched" | "link.opened" | "custom.event";
            messageId: string;
            requestBody: string;
            responseBody?: string;
            responseStatus?: number;
        };
        WebhookUpdate: {
            batch?: boolean;
            description?: string | null;
            events?: ("click" | "link.created" | "link.matched" | "link.opened" | "custom.event")[];
            isActive?: boolean;
            url?: string;
        };
        WebhookWithSecret: {
            _id: string;
            batch: boolean;
            /** Format: date-time */
            createdAt: string;
            description?: string;
            disabledReason?: string;
            dropped: number;
            events: ("click" | "link.created" | "link.matched" | "link.opened" | "custom.event")[];
            isActive: boolean;
            oldestPendingSeconds?: number;
            pending: number;
            secret: string;
            secretHint: string;
            /** Format: date-time */
            updatedAt: string;
            url: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TwoFactorStatus"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    disableTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DisableTwoFactorInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TwoFactorStatus"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    enableTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodeInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TwoFactorEnabled"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setUpTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TwoFactorSetup"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthSession"] | components["schemas"]["TwoFactorRequired"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    loginTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TwoFactorLoginInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthSession"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedOut"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthSession"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordForgottenInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordResetRequested"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordResetInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordResetDone"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterInput"] | components["schemas"]["InvitedRegisterInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthSession"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    finishSso: {
        parameters: {
            query?: {
                code?: string;
                error?: string;
                iss?: string;
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exchangeSsoCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SsoExchangeInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthSession"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    startSso: {
        parameters: {
            query?: {
                codeChallenge?: string;
                dashboard?: string;
                orgSlug?: string;
                returnTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyEmailInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailVerified"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resendEmailVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailProofRequested"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createCustomEvent: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomEventInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomEvent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createLinkWithApiKey: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLinkWithApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkWithBlockers"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLinkQrCodeWithApiKey: {
        parameters: {
            query?: {
                dark?: string;
                format?: "png" | "svg" | "pdf";
                light?: string;
                logo?: string;
                width?: number;
            };
            header?: never;
            path: {
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QrCodeResponse"];
                };
            };
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    claimMatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MatchInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    claimInstallAttribution: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InstallAttributionInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateOrganization: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAccessTokens: {
        parameters: {
            query?: {
                limit?: number;
                mine?: boolean;
                page?: number;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessTokenPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createAccessToken: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccessTokenInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessTokenCreated"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    askMarketingAssistant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MarketingAssistantInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarketingAssistantResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAbuseQueue: {
        parameters: {
            query?: {
                addressId?: string;
                from?: string;
                limit?: number;
                linkId?: string;
                page?: number;
                status?: "pending" | "confirmed" | "dismissed" | "all";
                to?: string;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AbuseItemPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    reviewAbuse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                clickId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AbuseReviewInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AbuseItem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    reviewAbuseInBulk: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AbuseBulkInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AbuseBulkOutcome"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAbuseGroups: {
        parameters: {
            query?: {
                addressId?: string;
                by?: "address" | "link";
                from?: string;
                limit?: number;
                linkId?: string;
                page?: number;
                status?: "pending" | "confirmed" | "dismissed" | "all";
                to?: string;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AbuseGroupPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTrafficAnomalies: {
        parameters: {
            query?: {
                from?: string;
                includeBots?: boolean;
                linkId?: string;
                to?: string;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrafficAnomaliesResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getBestDestination: {
        parameters: {
            query?: {
                from?: string;
                includeBots?: boolean;
                linkId?: string;
                to?: string;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BestDestinationResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAnalyticsBreakdown: {
        parameters: {
            query: {
                browser?: string | string[];
                by: "country" | "region" | "city" | "device" | "browser" | "os" | "referrer" | "language" | "utmSource" | "utmMedium" | "utmCampaign" | "utmTerm" | "utmContent" | "rule" | "split" | "destination" | "domain" | "tag" | "hourOfWeek";
                city?: string | string[];
                country?: string | string[];
                destination?: string | string[];
                device?: string | string[];
                domainId?: string | string[];
                from?: string;
                includeBots?: boolean;
                language?: string | string[];
                limit?: number;
                linkId?: string | string[];
                os?: string | string[];
                referrer?: string | string[];
                region?: string | string[];
                rule?: string | string[];
                split?: string | string[];
                tag?: string | string[];
                to?: string;
                utmCampaign?: string | string[];
                utmContent?: string | string[];
                utmMedium?: string | string[];
                utmSource?: string | string[];
                utmTerm?: string | string[];
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalyticsBreakdown"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getBrokenCampaigns: {
        parameters: {
            query?: {
                from?: string;
                includeBots?: boolean;
                linkId?: string;
                to?: string;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrokenCampaignsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listClicks: {
        parameters: {
            query?: {
                browser?: string | string[];
                city?: string | string[];
                country?: string | string[];
                cursor?: string;
                destination?: string | string[];
                device?: string | string[];
                domainId?: string | string[];
                from?: string;
                includeBots?: boolean;
                language?: string | string[];
                limit?: number;
                linkId?: string | string[];
                os?: string | string[];
                platform?: "ios" | "android" | "desktop" | "other";
                referrer?: string | string[];
                region?: string | string[];
                rule?: string | string[];
                split?: string | string[];
                tag?: string | string[];
                to?: string;
                utmCampaign?: string | string[];
                utmContent?: string | string[];
                utmMedium?: string | string[];
                utmSource?: string | string[];
                utmTerm?: string | string[];
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClickPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getClick: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                clickId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClickDetail"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportClicks: {
        parameters: {
            query?: {
                browser?: string | string[];
                city?: string | string[];
                country?: string | string[];
                destination?: string | string[];
                device?: string | string[];
                domainId?: string | string[];
                from?: string;
                includeBots?: boolean;
                language?: string | string[];
                linkId?: string | string[];
                os?: string | string[];
                platform?: "ios" | "android" | "desktop" | "other";
                referrer?: string | string[];
                region?: string | string[];
                rule?: string | string[];
                split?: string | string[];
                tag?: string | string[];
                to?: string;
                utmCampaign?: string | string[];
                utmContent?: string | string[];
                utmMedium?: string | string[];
                utmSource?: string | string[];
                utmTerm?: string | string[];
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getConversionPrediction: {
        parameters: {
            query?: {
                from?: string;
                includeBots?: boolean;
                linkId?: string;
                to?: string;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversionPredictionResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportAnalytics: {
        parameters: {
            query?: {
                browser?: string | string[];
                city?: string | string[];
                country?: string | string[];
                destination?: string | string[];
                device?: string | string[];
                domainId?: string | string[];
                from?: string;
                includeBots?: boolean;
                language?: string | string[];
                linkId?: string | string[];
                os?: string | string[];
                referrer?: string | string[];
                region?: string | string[];
                rule?: string | string[];
                split?: string | string[];
                tag?: string | string[];
                to?: string;
                utmCampaign?: string | string[];
                utmContent?: string | string[];
                utmMedium?: string | string[];
                utmSource?: string | string[];
                utmTerm?: string | string[];
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCampaignInsights: {
        parameters: {
            query?: {
                from?: string;
                includeBots?: boolean;
                linkId?: string;
                to?: string;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignInsightsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAnalyticsOverview: {
        parameters: {
            query?: {
                browser?: string | string[];
                city?: string | string[];
                compare?: "previous";
                country?: string | string[];
                destination?: string | string[];
                device?: string | string[];
                domainId?: string | string[];
                from?: string;
                includeBots?: boolean;
                includeImported?: boolean;
                language?: string | string[];
                linkId?: string | string[];
                os?: string | string[];
                referrer?: string | string[];
                region?: string | string[];
                rule?: string | string[];
                split?: string | string[];
                tag?: string | string[];
                to?: string;
                utmCampaign?: string | string[];
                utmContent?: string | string[];
                utmMedium?: string | string[];
                utmSource?: string | string[];
                utmTerm?: string | string[];
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalyticsOverview"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    streamAnalyticsOverview: {
        parameters: {
            query?: {
                browser?: string | string[];
                city?: string | string[];
                country?: string | string[];
                destination?: string | string[];
                device?: string | string[];
                domainId?: string | string[];
                intervalMs?: number;
                language?: string | string[];
                linkId?: string | string[];
                os?: string | string[];
                referrer?: string | string[];
                region?: string | string[];
                rule?: string | string[];
                split?: string | string[];
                tag?: string | string[];
                utmCampaign?: string | string[];
                utmContent?: string | string[];
                utmMedium?: string | string[];
                utmSource?: string | string[];
                utmTerm?: string | string[];
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listReports: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createReport: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
                reportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
                reportId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
                reportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTopLinks: {
        parameters: {
            query?: {
                browser?: string | string[];
                city?: string | string[];
                country?: string | string[];
                destination?: string | string[];
                device?: string | string[];
                domainId?: string | string[];
                from?: string;
                language?: string | string[];
                limit?: number;
                linkId?: string | string[];
                os?: string | string[];
                referrer?: string | string[];
                region?: string | string[];
                rule?: string | string[];
                split?: string | string[];
                tag?: string | string[];
                to?: string;
                utmCampaign?: string | string[];
                utmContent?: string | string[];
                utmMedium?: string | string[];
                utmSource?: string | string[];
                utmTerm?: string | string[];
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopLinks"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listLinkTrends: {
        parameters: {
            query: {
                days?: "7" | "30";
                linkId: string | string[];
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkTrends"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listUnservedVisits: {
        parameters: {
            query?: {
                domainId?: string;
                from?: string;
                includeBots?: boolean;
                limit?: number;
                linkId?: string;
                reason?: "unknown" | "domain_unverified" | "inactive" | "not_started" | "expired" | "max_clicks_reached" | "unsafe" | "password_required" | "password_incorrect" | "lead_required" | "attempts" | "busy" | "probing";
                to?: string;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnservedVisits"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreated"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                keyId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listApps: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppProfilePage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createApp: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AppProfileInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppProfile"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppProfile"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteApp: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                appId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateApp: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                appId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AppProfileUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppProfile"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAuditLogs: {
        parameters: {
            query?: {
                action?: string;
                from?: string;
                limit?: number;
                page?: number;
                resourceType?: string;
                teamEmail?: string;
                to?: string;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLogPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listBioPages: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BioPagePage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createBioPage: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BioPageInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BioPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getBioPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bioPageId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BioPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteBioPage: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                bioPageId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateBioPage: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                bioPageId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BioPageUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BioPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDomains: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createDomain: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DomainInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                domainId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteDomain: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                domainId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateDomain: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                domainId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DomainUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateDomainAppConfig: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                domainId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AppConfigInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDomainConfiguration: {
        parameters: {
            query?: {
                check?: boolean;
            };
            header?: never;
            path: {
                domainId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainConfiguration"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateDomainDashboard: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                domainId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DashboardHostingInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    verifyDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                domainId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listExports: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationExportPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createExport: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationExport"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                exportId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationExport"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                exportId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                exportId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": unknown;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listImports: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiImportInput"];
                "multipart/form-data": components["schemas"]["ImportUpload"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                importId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                importId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listImportRows: {
        parameters: {
            query?: {
                different?: boolean;
                limit?: number;
                page?: number;
                result?: "created" | "suffixed" | "replaced" | "unchanged" | "skipped" | "collision" | "refused" | "removed" | "kept";
            };
            header?: never;
            path: {
                importId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportRowPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportImportRows: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                importId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rollBackImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                importId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RollbackInput"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    verifyImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                importId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VerifyInput"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listLinks: {
        parameters: {
            query?: {
                cursor?: string;
                domainId?: string;
                excludeTag?: string | string[];
                isArchived?: boolean;
                limit?: number;
                linkId?: string | string[];
                order?: "asc" | "desc";
                page?: number;
                search?: string;
                sort?: "createdAt" | "clicks" | "lastClickAt" | "title";
                state?: "serving" | "scheduled" | "expired" | "used_up" | "inactive" | "unsafe";
                tag?: string | string[];
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createLink: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkInput"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                linkId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkWithBlockers"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteLink: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                linkId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateLink: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                linkId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listLeads: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
            };
            header?: never;
            path: {
                linkId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteLead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                leadId: string;
                linkId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportLeads: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                linkId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    previewLinkTraffic: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                linkId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrafficPreviewInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrafficPreview"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLinkQrCode: {
        parameters: {
            query?: {
                dark?: string;
                format?: "png" | "svg" | "pdf";
                light?: string;
                logo?: string;
                logoUrl?: string;
                width?: number;
            };
            header?: never;
            path: {
                linkId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QrCodeResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    proposeQrCodeStyle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                linkId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["QrStyleInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QrStyleResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listLinkRevisions: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
            };
            header?: never;
            path: {
                linkId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevisionPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rescanLinkSafety: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                linkId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Safety"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createLinks: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkLinkInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkLinkResult"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkUpdateInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkUpdateResult"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkDeleteInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkDeleteResult"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putLinkByExternalId: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
                "If-None-Match"?: "*";
            };
            path: {
                externalId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportLinksAsCsv: {
        parameters: {
            query?: {
                clicksByDay?: boolean;
                domainId?: string;
                excludeTag?: string | string[];
                isArchived?: boolean;
                search?: string;
                state?: "serving" | "scheduled" | "expired" | "used_up" | "inactive" | "unsafe";
                tag?: string | string[];
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportLinksAsJsonLines: {
        parameters: {
            query?: {
                clicksByDay?: boolean;
                domainId?: string;
                excludeTag?: string | string[];
                isArchived?: boolean;
                search?: string;
                state?: "serving" | "scheduled" | "expired" | "used_up" | "inactive" | "unsafe";
                tag?: string | string[];
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": unknown;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    previewLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkPreviewInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkPreviewResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    generateUtm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UtmGenerationInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UtmGenerationResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                membershipId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                membershipId: string;
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteMemberInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    eraseVisitor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PrivacyErasureInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrivacyErasure"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSso: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoConfiguration"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateSso: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SsoUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoConfiguration"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
                status?: "pending" | "delivered" | "failed" | "dropped";
            };
            header?: never;
            path: {
                orgId: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deliveryId: string;
                orgId: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryWithRequest"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deliveryId: string;
                orgId: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookTestInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTestResult"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAppIcon: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDomainIcon: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOrganizationIcon: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDashboardBranding: {
        parameters: {
            query: {
                hostname: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DashboardBranding"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resolveLink: {
        parameters: {
            query: {
                browser?: string;
                city?: string;
                country?: string;
                deviceModel?: string;
                deviceType?: string;
                deviceVendor?: string;
                domain: string;
                language?: string;
                osVersion?: string;
                password?: string;
                pathPrefix?: string;
                platform?: "ios" | "android" | "desktop" | "other";
                query?: string;
                referrer?: string;
                region?: string;
                slug: string;
                visitorId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolveResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    askTls: {
        parameters: {
            query: {
                domain: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TlsAnswer"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
