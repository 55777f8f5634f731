#pragma once
#include <etlantic/runtime/group_life.inl.hpp>
#include <etlantic/runtime/query.hpp>
#include <etlantic/runtime/query_life.inl.hpp>
#include <etlantic/runtime/query_report.hpp>

#include <memory>
#include <thread>
#include <utility>

namespace etlantic {

struct query::implementation {
  explicit implementation(std::unique_ptr<query_course> begun)
      : id(begun->query_id()), report(id, begun->pipeline()), course(std::move(begun)) {}

  ~implementation() {
    report.request_stop(stop_policy::finish_batch);
    join();
  }

  result<void> start() {
    try {
      thread = std::thread([this] { run(); });
    } catch (const std::exception& thrown) {
      return failure{failure_class::resource_exhausted, "PMSTREAM471",
                     std::string("no thread can be started: ") + thrown.what(), "query",
                     "Raise the limit on threads or processes of this user."};
    }
    return {};
  }

  void run() {
    result<void> outcome = course->run(report);
    course.reset();  // listeners too are let go now, and not when somebody drops the handle
    report.ended(std::move(outcome));
  }

  void join() {
    const std::lock_guard held(joining);
    const bool on_own_thread = thread.get_id() == std::this_thread::get_id();  // a listener that stops its query
    if (thread.joinable() && !on_own_thread) thread.join();
  }

  const std::string id;
  query_report report;
  std::unique_ptr<query_course> course;
  std::mutex joining;
  std::thread thread;
};

[[gnu::used]] inline void query::drop::operator()(implementation* running) const { delete running; }

[[gnu::used]] inline const std::string& query::id() const { return self_->id; }
[[gnu::used]] inline query_status query::status() const { return self_->report.status(); }
[[gnu::used]] inline bool query::await(duration at_most) { return self_->report.await(at_most); }
[[gnu::used]] inline void query::request_stop(stop_policy how) { self_->report.request_stop(how); }
[[gnu::used]] inline bool query::stop_requested() const { return self_->report.requested_stop().has_value(); }
[[gnu::used]] inline result<void> query::outcome() const { return self_->report.outcome(); }
[[gnu::used]] inline progress query::last_progress() const { return self_->report.last(); }
[[gnu::used]] inline std::vector<progress> query::recent_progress() const { return self_->report.recent(); }
[[gnu::used]] inline progress query::totals() const { return self_->report.totals(); }

[[gnu::used]] inline result<void> query::stop(stop_policy how) {
  self_->report.request_stop(how);
  self_->join();
  return self_->report.outcome();
}

namespace detail {

template <class Course>
result<std::unique_ptr<query_course>> as_course(result<std::unique_ptr<Course>> begun) {
  if (!begun) return std::move(begun.error());
  return std::unique_ptr<query_course>(std::move(*begun));
}

}  // namespace detail

[[gnu::used]] inline result<query> start_program(program what, profile where, query::listener on_batch,
                                                 query_environment environment) {
  result<std::unique_ptr<query_course>> begun = detail::guarded([&]() -> result<std::unique_ptr<query_course>> {
    if (!grouped_extract(what, where))
      return detail::as_course(
          query_life::begin(std::move(what), std::move(where), std::move(on_batch), std::move(environment)));
    return detail::as_course(
        group_life::begin(std::move(what), std::move(where), std::move(on_batch), std::move(environment)));
  });
  if (!begun) return begun.error();
  std::unique_ptr<query::implementation, query::drop> made(new query::implementation(std::move(*begun)));
  if (result<void> started = made->start(); !started) return started.error();
  return query(std::move(made));
}

[[gnu::used]] inline result<query> start_program(program what, profile where, query::listener on_batch) {
  return start_program(std::move(what), std::move(where), std::move(on_batch), query_environment{});
}

}  // namespace etlantic
