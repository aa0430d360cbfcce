/** What the storage contract says of transactions' work, on one MongoDB server alone: other tests have a replica set. */
