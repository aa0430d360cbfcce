-- Sends prepared requests in turn. Each line is a path, for a POST followed by a tab and the body.
-- wrk … -s requests.lua URL -- FILE START

local prepared = {}
local at = 0

function init(args)
  for line in io.lines(args[1]) do
    local path, body = line:match("^([^\t]*)\t(.*)$")
    if body then
      prepared[#prepared + 1] = wrk.format("POST", path, nil, body)
    else
      prepared[#prepared + 1] = wrk.format("GET", line)
    end
  end
  at = tonumber(args[2]) % #prepared
end

function request()
  at = at % #prepared + 1
  return prepared[at]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%.6f,"failed":%d,"broken":%d,"p50":%.3f,"p99":%.3f,"max":%.3f}\n',
    summary.requests,
    summary.duration / 1e6,
    errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3,
    latency.max / 1e3
  ))
end
