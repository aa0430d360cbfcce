// For mongosh: initiates the replica set if it is not initiated, and waits for a primary.
try {
  rs.status();
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error;
  const members = ['mongo-1', 'mongo-2', 'mongo-3'].map((host, _id) => ({ _id, host: `${host}:27017` }));
  rs.initiate({ _id: 'rs0', members });
}
while (!rs.status().members.some(({ stateStr }) => stateStr === 'PRIMARY')) sleep(500);
